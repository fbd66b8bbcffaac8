"""Common code of all packages: files and pages, checks, units and arguments."""
