"""A small SVG builder. Every function returns a piece of SVG as text; a Drawing collects them in layers."""

from collections.abc import Iterable, Sequence

from games.drawing.palette import Theme
from games.drawing.type import FAMILIES, clean

Point = tuple[float, float]


def num(value: float) -> str:
    """A number in at most two decimals, without trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def esc(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def style(
    fill: str = "none",
    stroke: str = "",
    width: float = 1,
    dash: str = "",
    opacity: float = 1,
    fill_opacity: float = 1,
    cap: str = "",
    join: str = "",
) -> str:
    """The presentation attributes, with the defaults left out."""
    out = f' fill="{fill}"'
    if fill_opacity != 1:
        out += f' fill-opacity="{num(fill_opacity)}"'
    if stroke:
        out += f' stroke="{stroke}" stroke-width="{num(width)}"'
        if dash:
            out += f' stroke-dasharray="{dash}"'
        if cap:
            out += f' stroke-linecap="{cap}"'
        if join:
            out += f' stroke-linejoin="{join}"'
    if opacity != 1:
        out += f' opacity="{num(opacity)}"'
    return out


def rect(
    x: float,
    y: float,
    w: float,
    h: float,
    rx: float = 0,
    fill: str = "none",
    stroke: str = "",
    width: float = 1,
    dash: str = "",
    opacity: float = 1,
    fill_opacity: float = 1,
) -> str:
    corner = f' rx="{num(rx)}"' if rx else ""
    paint = style(fill, stroke, width, dash, opacity, fill_opacity)
    return f'<rect x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}"{corner}{paint}/>'


def circle(
    x: float,
    y: float,
    r: float,
    fill: str = "none",
    stroke: str = "",
    width: float = 1,
    dash: str = "",
    opacity: float = 1,
) -> str:
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}"{style(fill, stroke, width, dash, opacity)}/>'


def path(
    d: str,
    fill: str = "none",
    stroke: str = "",
    width: float = 1,
    dash: str = "",
    opacity: float = 1,
    fill_opacity: float = 1,
    cap: str = "",
    join: str = "",
) -> str:
    return f'<path d="{d}"{style(fill, stroke, width, dash, opacity, fill_opacity, cap, join)}/>'


def ring(points: Iterable[Point], close: bool = True) -> str:
    """Path data through the points."""
    return "M" + "L".join(f"{num(x)},{num(y)}" for x, y in points) + ("Z" if close else "")


def polygon(
    points: Iterable[Point],
    fill: str = "none",
    stroke: str = "",
    width: float = 1,
    dash: str = "",
    opacity: float = 1,
    fill_opacity: float = 1,
    join: str = "round",
) -> str:
    return path(ring(points), fill, stroke, width, dash, opacity, fill_opacity, join=join)


def line(
    points: Iterable[Point], stroke: str, width: float = 1, dash: str = "", opacity: float = 1, cap: str = "round"
) -> str:
    return path(ring(points, close=False), "none", stroke, width, dash, opacity, cap=cap, join="round")


def group(
    *parts: str, x: float = 0, y: float = 0, scale: float = 1, opacity: float = 1, clip: str = "", turn: float = 0
) -> str:
    """The parts moved to (x, y), then scaled; `clip` is the id of a clip path."""
    moves = []
    if x or y:
        moves.append(f"translate({num(x)},{num(y)})")
    if turn:
        moves.append(f"rotate({num(turn)})")
    if scale != 1:
        moves.append(f"scale({scale:.4g})")
    out = f' transform="{" ".join(moves)}"' if moves else ""
    if opacity != 1:
        out += f' opacity="{num(opacity)}"'
    if clip:
        out += f' clip-path="url(#{clip})"'
    return f"<g{out}>{''.join(parts)}</g>"


def text(
    x: float,
    y: float,
    words: str,
    fill: str,
    size: float = 13,
    weight: int = 500,
    anchor: str = "start",
    face: str = "condensed",
    halo: str = "",
    halo_width: float = 2.2,
    spacing: float = 0,
    opacity: float = 1,
) -> str:
    """One line of words on the baseline y; `halo` is the colour of a soft edge that keeps map names readable."""
    out = f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}" font-weight="{weight}" fill="{fill}"'
    if face != "condensed":
        out += f' font-family="{FAMILIES[face]}"'
    if anchor != "start":
        out += f' text-anchor="{anchor}"'
    if spacing:
        out += f' letter-spacing="{num(spacing)}"'
    if halo:
        out += f' stroke="{halo}" stroke-width="{num(halo_width)}" stroke-linejoin="round" paint-order="stroke"'
    if opacity != 1:
        out += f' opacity="{num(opacity)}"'
    return f"{out}>{esc(clean(words))}</text>"


def lines(
    x: float,
    y: float,
    rows: Sequence[str],
    fill: str,
    size: float = 13,
    leading: float = 1.12,
    weight: int = 500,
    anchor: str = "start",
    halo: str = "",
    halo_width: float = 2.2,
) -> str:
    """Several lines; y is the baseline of the first."""
    return "".join(
        text(x, y + at * size * leading, row, fill, size, weight, anchor, halo=halo, halo_width=halo_width)
        for at, row in enumerate(rows)
    )


class Drawing:
    """A picture under way. Pieces are added to numbered layers and written bottom to top."""

    def __init__(self, width: float, height: float, theme: Theme, title: str = "") -> None:
        self.width, self.height, self.theme, self.title = width, height, theme, title
        self._layers: dict[int, list[str]] = {}
        self._defs: dict[str, str] = {}

    def add(self, *pieces: str, layer: int = 0) -> None:
        self._layers.setdefault(layer, []).extend(pieces)

    def _define(self, name: str, markup: str) -> str:
        key = f"{name}-{self.theme.name}"
        self._defs.setdefault(key, markup.replace("ID", key, 1))
        return key

    def clip(self, name: str, shape: str) -> str:
        """The id of a clip path holding `shape`, for `group(clip=...)`."""
        return self._define(f"clip-{name}", f'<clipPath id="ID">{shape}</clipPath>')

    def pattern(self, kind: str, scale: float = 1) -> str:
        """A fill such as `url(#hatch-light)`: hatch, dots, stripes (contested) or back (face-down cards)."""
        theme = self.theme
        if kind == "hatch":
            size, turn = 8 * scale, 45
            inside = f'<rect width="{num(2.1 * scale)}" height="{num(size)}" fill="{theme.hatch}" '
            inside += f'fill-opacity="{theme.hatch_opacity}"/>'
        elif kind == "dots":
            size, turn = 9 * scale, 0
            inside = circle(size / 2, size / 2, 1.05 * scale, theme.coalition, opacity=theme.dots_opacity)
        elif kind == "stripes":
            size, turn = 16 * scale, 45
            inside = rect(0, 0, 5 * scale, size, fill=theme.coalition, opacity=0.42)
            inside += rect(
                8 * scale, 0, 3.4 * scale, size, fill=theme.hatch, opacity=min(1, theme.hatch_opacity + 0.25)
            )
        elif kind == "back":
            size, turn = 7 * scale, 45
            inside = rect(0, 0, 2.6 * scale, size, fill="#FFFFFF", opacity=0.06)
        else:
            raise ValueError(f"There is no pattern {kind!r}.")
        name = kind if scale == 1 else f"{kind}{round(scale * 100)}"
        move = f' patternTransform="rotate({turn})"' if turn else ""
        key = self._define(
            name,
            f'<pattern id="ID" width="{num(size)}" height="{num(size)}" patternUnits="userSpaceOnUse"{move}>'
            f"{inside}</pattern>",
        )
        return f"url(#{key})"

    def svg(self) -> str:
        """The whole picture as SVG text."""
        w, h = num(self.width), num(self.height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
            f'font-family="{FAMILIES["condensed"]}" role="img">'
        )
        title = f"<title>{esc(clean(self.title))}</title>" if self.title else ""
        defs = f"<defs>{''.join(self._defs[key] for key in sorted(self._defs))}</defs>" if self._defs else ""
        ground = rect(0, 0, self.width, self.height, fill=self.theme.paper)
        body = "".join("".join(self._layers[layer]) for layer in sorted(self._layers))
        return f"{head}{title}{defs}{ground}{body}</svg>"
