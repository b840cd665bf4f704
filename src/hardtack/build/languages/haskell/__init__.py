"""Haskell: operators are named without their brackets."""
