"""CMake: names may be quoted."""
