"""Sources of packs, to pull from and to publish to: the protocol :class:`.source.Source`, and its implementations.

``static.py`` works over plain files (``folder.py``, ``web.py``, ``objects.py``, with pointers as in ``pointer.py``), ``github.py``
over a project's artifacts and releases. ``transfer.py`` is HTTP with retries and resumed downloads, over ``requests.py`` (tokens,
redirects), ``connections.py`` (slow peers, forbidden addresses) and ``partial.py`` (the file that is downloaded).
"""
