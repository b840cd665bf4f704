"""The command line: one file a verb, each one library call and a renderer. Holds no logic of its own."""
