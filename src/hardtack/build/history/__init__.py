"""The last commits of a repository in, what each says and which files and symbols of the bundle it changed out."""
