"""``python -m hardtack`` and the ``hardtack`` command."""

from __future__ import annotations

import os

# Before numpy is imported: it and FAISS each start a thread pool, which costs half the time of a cold search and gains nothing.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hardtack.cli.main import main

if __name__ == "__main__":
    main()
