"""What builds of the parts of one tree say of its files in, one bundle out; ``shard_file.py`` describes the file between them."""
