"""Bundles on this machine and their sources: finding, pulling, installing, publishing and removing them.

A search imports ``locate.py`` and, for a bundle in the user's cache, ``cache.py`` and ``records.py``. All other modules belong to
verbs that write or use the network.
"""
