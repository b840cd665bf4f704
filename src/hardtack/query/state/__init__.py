"""What a bundle holds, which searches work in it, and how far it lies behind a checkout."""
