"""Code that all packages share: files, checks, units, options, progress and tables."""
