"""What is asked, as the user says it, becomes a checked query, an analysis of its text and a selection of what may answer."""
