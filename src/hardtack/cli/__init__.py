"""The command line: one file for each verb, which parses arguments, calls the library and prints."""
