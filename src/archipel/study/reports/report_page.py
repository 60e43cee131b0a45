"""Write a report as one HTML page or as Markdown with SVG files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from archipel.rules.catalogue import Catalogue
from archipel.study.experiments.summary import Summary
from archipel.study.reports.report import Block, Grid, Heading, Picture, Text, blocks

BULLET = "* "

STYLE = Path(__file__).with_name("report.css").read_text("utf-8").strip()


def page(summary: Summary, words: Catalogue) -> str:
    """The report as one self-contained HTML file."""
    body = "".join(_html(block) for block in blocks(summary, words))
    return (
        f'<!doctype html><html lang="{words.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(summary.title)}</title><style>{STYLE}</style></head>"
        f"<body><main><h1>{escape(summary.title)}</h1>{body}</main></body></html>\n"
    )


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
    if isinstance(block, Picture):
        return f"<figure>{block.drawing}</figure>"
    if isinstance(block, Grid):
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in block.heads)
        rows = "".join(
            f'<tr><th scope="row">{escape(row[0])}</th>'
            + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
            + "</tr>"
            for row in block.rows
        )
        head = f"<thead><tr>{heads}</tr></thead>"
        return f'<div class="wide"><table>{head}<tbody>{rows}</tbody></table></div>'
    kind = ' class="soft"' if block.soft else ""
    if block.text.startswith(BULLET):
        points = f"\n{block.text}".split(f"\n{BULLET}")[1:]
        return f"<ul{kind}>{''.join(f'<li>{_inline(point)}</li>' for point in points)}</ul>"
    return f"<p{kind}>{_inline(block.text)}</p>"


def _inline(text: str) -> str:
    """Convert inline Markdown: code, strong text and links."""
    shown = escape(text, quote=False)
    shown = re.sub(r"`([^`]+)`", r"<code>\1</code>", shown)
    shown = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", shown)
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", shown)


def document(summary: Summary, words: Catalogue, plan_file: str, folder: str) -> dict[str, str]:
    """Files of the report: Markdown under the name ``""`` and charts by name.

    The Markdown expects the charts in ``folder`` beside it.
    """
    parts = [f"# {summary.title}"]
    files: dict[str, str] = {}
    for block in blocks(summary, words):
        if isinstance(block, Picture):
            name = f"{block.name}.svg"
            files[name] = block.drawing
            parts.append(f"![{block.title}]({folder}/{name})")
        else:
            parts.append("\n".join(_markdown(block)))
    parts.append(words.say("study.made_by", file=plan_file))
    files[""] = "\n\n".join(parts) + "\n"
    return files


def _markdown(block: Heading | Grid | Text) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"{'#' * block.level} {block.text}"
    elif isinstance(block, Text):
        yield block.text
    else:
        yield f"| {' | '.join(block.heads)} |"
        yield f"| --- |{' --: |' * (len(block.heads) - 1)}"
        for row in block.rows:
            yield f"| {' | '.join(row)} |"


def write_document(summary: Summary, words: Catalogue, path: Path, plan_file: str) -> None:
    """Write the Markdown file, and its charts to a folder of the same name."""
    folder = path.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    files = document(summary, words, plan_file, folder.name)
    for old in folder.glob("*.svg"):
        if old.name not in files:
            old.unlink()
    for name, text in files.items():
        target = folder / name if name else path
        target.write_text(text, "utf-8", newline="\n")
