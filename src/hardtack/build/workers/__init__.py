"""Processes that read files: started, limited, and replaced when one dies."""
