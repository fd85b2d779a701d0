"""How Sphinx builds these pages (``make docs``): everything is local, and a warning is an error."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import tuolaji_env  # noqa: E402  (found by the line above)

project = "Tuolaji"
author = copyright = "The Tuolaji authors"  # noqa: A001  (Sphinx's name)
release = version = tuolaji_env.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "results/search"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

# Docstrings put names and values between single backticks.
default_role = "code"
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "Tuolaji"
html_static_path = ["_static"]
html_css_files = ["tuolaji.css"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "tango"
html_theme_options = {
    "footer_icons": [],
    "light_css_variables": {"color-brand-primary": "#2b6cb0", "color-brand-content": "#2b6cb0"},
    "dark_css_variables": {"color-brand-primary": "#63b3ed", "color-brand-content": "#63b3ed"},
}

_ARRAY = re.compile(r"~?(?:numpy\.)?ndarray\[.*?dtype\[~?(?:typing\.|numpy\.)?([\w.]+)\]\]")


def _short_arrays(app: Any, what: str, name: str, thing: Any, options: Any, *texts: Any) -> Any:
    """NDArray[int64] as it is written, not as NumPy spells it out."""
    return tuple(text and _ARRAY.sub(r"NDArray[\1]", text) for text in texts)


def setup(app: Any) -> None:
    app.connect("autodoc-process-signature", _short_arrays)
