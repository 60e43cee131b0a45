"""Results as rows, data frames and HTML tables."""

from __future__ import annotations

from html import escape
from importlib.util import find_spec
from typing import Any

LIBRARIES = ("pandas", "polars")

#: Rows that a notebook shows.
SHOWN_ROWS = 20


class Tabular:
    """A result that is made of rows."""

    def to_rows(self) -> list[dict[str, Any]]:
        """One dictionary per row, with the same keys in each."""
        raise NotImplementedError

    def to_frame(self, library: str | None = None) -> Any:
        """The rows as a data frame of pandas or Polars; by default the one that is installed.

        Raises ValueError for another library, and ImportError if none is installed.
        """
        return frame_of(self.to_rows(), library)

    def _repr_html_(self) -> str:
        return table_of(self.to_rows(), repr(self))


def frame_of(columns: Any, library: str | None = None) -> Any:
    """A data frame from rows or from columns by name."""
    if library is None:
        library = next((name for name in LIBRARIES if find_spec(name) is not None), None)
        if library is None:
            raise ImportError("to_frame() needs pandas or polars: pip install pandas")
    if library == "pandas":
        import pandas

        return pandas.DataFrame(columns)
    if library == "polars":
        import polars

        return polars.DataFrame(columns)
    raise ValueError(f"{library!r} is not one of {', '.join(LIBRARIES)}")


def table_of(rows: list[dict[str, Any]], caption: str) -> str:
    """An HTML table of the first rows, for notebooks."""
    heads = "".join(f"<th>{escape(name)}</th>" for name in (rows[0] if rows else ()))
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_shown(value))}</td>" for value in row.values()) + "</tr>"
        for row in rows[:SHOWN_ROWS]
    )
    more = f" (first {SHOWN_ROWS} of {len(rows)} rows)" if len(rows) > SHOWN_ROWS else ""
    return (
        f"<table><caption>{escape(caption)}{more}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
