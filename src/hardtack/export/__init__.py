"""A bundle in, Parquet tables out, for engines that serve many users."""
