"""SCSS: variables lose their dollar sign."""
