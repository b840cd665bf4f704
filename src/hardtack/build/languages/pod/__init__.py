"""Pod: Perl's documentation in files of its own."""
