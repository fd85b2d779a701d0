"""A round robin's summary as one HTML page with its pictures inside: no script, no other file."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import Any

from .charts import charts
from .markdown import introduction, sections

_STYLE = """
body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1a202c; margin: 2rem auto;
       max-width: 64rem; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.2rem; font-size: 1.15rem; }
table { border-collapse: collapse; font-size: 14px; display: block; overflow-x: auto; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #e2e8f0; white-space: nowrap;
         text-align: right; font-variant-numeric: tabular-nums; }
th { border-bottom: 2px solid #a0aec0; } td:first-child, th:first-child { text-align: left; }
figure { margin: 1.2rem 0; } figcaption { font-weight: 600; }
img { max-width: 100%; } .bad { color: #c53030; font-weight: 600; }
"""


def page(summary: dict[str, Any]) -> str:
    """The page."""
    pictures = [
        f'<figure><figcaption>{escape(title)}</figcaption><img alt="{escape(title)}" '
        f'src="data:image/svg+xml;base64,{b64encode(picture).decode()}"></figure>'
        for title, picture in charts(summary)
    ]
    tables = [f"<h2>{escape(title)}</h2>\n{_table(rows)}" for title, rows in sections(summary)]
    versions = ", ".join(f"{name} {number}" for name, number in summary["versions"].items())
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>Round robin</title>\n<style>{_STYLE}</style>",
            f"<h1>Round robin</h1>\n<p>{_code(escape(introduction(summary['plan'])))}</p>",
            tables[0],
            *pictures,
            *tables[1:],
            f"<p>{escape(versions)}</p>\n</html>\n",
        ]
    )


def _code(text: str) -> str:
    """Text in which `…` is code."""
    parts = text.split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


def _table(rows: list[list[str]]) -> str:
    head, *body = rows
    lines = ["<tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"]
    for row in body:
        cells = (
            f'<td class="bad">{escape(cell)}</td>'
            if cell.startswith(("sees hidden", "not repeatable"))
            else f"<td>{escape(cell)}</td>"
            for cell in row
        )
        lines.append("<tr>" + "".join(cells) + "</tr>")
    return "<table>\n" + "\n".join(lines) + "\n</table>"
