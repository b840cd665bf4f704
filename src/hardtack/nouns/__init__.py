"""The values that one part of Hardtack hands another. Values only: nothing here opens, computes or prints."""
