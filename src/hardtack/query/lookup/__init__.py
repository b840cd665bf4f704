"""Names become typed accounts of symbols and the places that refer to them."""
