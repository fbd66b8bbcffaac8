"""Web pages in one house style, which work offline: what a page is, how it looks, and what it does."""
