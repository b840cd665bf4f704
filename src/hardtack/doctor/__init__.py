"""``hardtack doctor``: an installation and its surroundings in, findings out, each with a remedy if something is wrong.

``examination.py`` lists the checks. They change nothing and use no network.
"""
