"""What a build takes over from an earlier bundle or from a build that was interrupted."""
