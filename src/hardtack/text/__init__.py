"""How text becomes terms and stems, in both halves alike."""
