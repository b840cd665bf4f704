"""The guarded gateways to the native engines: Tantivy and FAISS. No other module imports them."""
