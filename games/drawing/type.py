"""Measuring words: how wide they are in the shipped faces, how they wrap, and when they shrink."""

import json
from functools import lru_cache
from importlib.resources import files

FAMILIES = {
    "condensed": "IBM Plex Sans Condensed, Arial Narrow, sans-serif",
    "mono": "IBM Plex Mono, monospace",
}
SMALLEST = 9.5  # px in a picture of 1200


def _load() -> tuple[dict[str, dict[str, int]], frozenset[str]]:
    raw = json.loads(files("games.drawing").joinpath("fonts/widths.json").read_text("ascii"))
    chars = raw.pop("chars")
    return {face: dict(zip(chars, widths, strict=True)) for face, widths in raw.items()}, frozenset(chars)


_WIDTHS, GLYPHS = _load()


def _table(face: str, weight: int) -> dict[str, int]:
    return _WIDTHS["mono-400" if face == "mono" else f"condensed-{weight}"]


def clean(words: str) -> str:
    """The words with every character the shipped fonts lack replaced by a question mark."""
    if GLYPHS.issuperset(words):
        return words
    return "".join(char if char in GLYPHS else " " if char.isspace() else "?" for char in words)


@lru_cache(maxsize=8192)
def width_of(words: str, size: float, weight: int = 500, face: str = "condensed", spacing: float = 0) -> float:
    """Width in px. Kerning is left out, so the true width is this or a hair less."""
    table = _table(face, weight)
    words = clean(words)
    return sum(table[char] for char in words) * size / 1000 + spacing * len(words)


def cut(words: str, width: float, size: float, weight: int = 500, face: str = "condensed") -> str:
    """The words, shortened with `…` where they would be wider than `width`."""
    if width_of(words, size, weight, face) <= width:
        return words
    while words and width_of(words + "…", size, weight, face) > width:
        words = words[:-1]
    words = words.rstrip(" ,;:-·")
    return words + "…" if words else ""


@lru_cache(maxsize=4096)
def wrap(
    words: str, width: float, size: float, weight: int = 500, lines: int = 2, face: str = "condensed"
) -> tuple[str, ...]:
    """The words in lines no wider than `width`; what does not fit in `lines` is cut with `…`."""
    rows: list[str] = []
    rest = words.split()
    while rest:
        if len(rows) == lines - 1:
            rows.append(cut(" ".join(rest), width, size, weight, face))
            break
        row = rest.pop(0)
        while rest and width_of(f"{row} {rest[0]}", size, weight, face) <= width:
            row = f"{row} {rest.pop(0)}"
        rows.append(cut(row, width, size, weight, face))
    return tuple(rows)


@lru_cache(maxsize=4096)
def fitted(
    words: str,
    width: float,
    size: float,
    weight: int = 500,
    lines: int = 2,
    smallest: float = SMALLEST,
    face: str = "condensed",
) -> tuple[tuple[str, ...], float]:
    """Lines (at least one) and size that fit: first wrapped, then shrunk, and cut only at the smallest size."""
    while True:
        rows = wrap(words, width, size, weight, lines, face) or ("",)
        if size <= smallest or " ".join(rows) == " ".join(words.split()):
            return _even(rows, size, weight, face), size
        size = max(smallest, round(size - 0.5, 2))


def _even(rows: tuple[str, ...], size: float, weight: int, face: str) -> tuple[str, ...]:
    """Two lines of about the same length where the greedy wrap left a long and a short one."""
    if len(rows) != 2 or "…" in rows[1]:
        return rows
    parts = " ".join(rows).split()
    best = rows
    widest = max(width_of(row, size, weight, face) for row in rows)
    for at in range(1, len(parts)):
        pair = (" ".join(parts[:at]), " ".join(parts[at:]))
        wide = max(width_of(row, size, weight, face) for row in pair)
        if wide < widest:
            best, widest = pair, wide
    return best
