"""What every room uses: files and pages, checks, units and arguments."""
