"""What a bundle says of names, words, pairs of words and n-grams, to be looked up without reading rows."""
