"""``hardtack fleet``: a list of repositories in, a bundle of each at one shelf out, and an account of what became of every one."""
