"""INI and its kin: sections and keys."""
