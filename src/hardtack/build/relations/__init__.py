"""The files of a bundle in, what ties their symbols together out."""
