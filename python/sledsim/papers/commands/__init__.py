"""Commands of the papers, which the program finds as those of any package."""
