"""A checkout on a CI runner in, a pack and what the runner shows of it out: what ``hardtack ci`` does."""
