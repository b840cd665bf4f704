"""Reuse of files that an earlier bundle or an interrupted build has analysed."""
