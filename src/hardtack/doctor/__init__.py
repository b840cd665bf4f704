"""An installation and where one stands in, what is wrong with it out: a finding a line, each with its remedy.

``examination.py`` lists what is looked at. Nothing is changed and nothing is fetched.
"""
