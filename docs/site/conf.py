"""Configure Sphinx: no network, no fonts or scripts from other hosts."""

from sledsim import __version__

project = "sledsim"
author = "The sledsim authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
source_suffix = {".md": "markdown"}
language = "en"
# Keep the two hyphens of options and the plain quotes of messages.
smartquotes = False
# Names in backticks in docstrings become links where the site documents them.
default_role = "py:obj"
myst_heading_anchors = 6
myst_enable_extensions = ["colon_fence"]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
# List only headings in the navigation: every function in it would double the time of a build.
toc_object_entries = False
napoleon_use_ivar = True
napoleon_use_rtype = False
napoleon_numpy_docstring = False
html_theme = "furo"
html_title = f"sledsim {__version__}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
