"""The bytes of a file in, its text in UTF-8 and the name of its encoding out; ``reading.py`` tells the story."""
