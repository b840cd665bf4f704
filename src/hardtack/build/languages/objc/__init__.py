"""Objective-C: methods are named by selectors."""
