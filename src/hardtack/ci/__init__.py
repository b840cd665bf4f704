"""``hardtack ci``: a checkout on a CI runner in, a pack and the job's outputs, summary and warnings out."""
