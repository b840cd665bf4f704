"""What a bundle holds, whether it can be searched and how far it lies behind a checkout."""
