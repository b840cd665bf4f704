"""SQL: tables, columns, views, functions."""
