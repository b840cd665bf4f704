"""Bundle in, answers out: retrieval, fusion, ranking, snippets and look-ups, on a verified bundle and nothing else."""
