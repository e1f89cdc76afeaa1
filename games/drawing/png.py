"""SVG to PNG with the shipped fonts alone, in 256 colours, so that a board fits a mail."""

import io
from functools import cache
from importlib.resources import files

import resvg_py
from PIL import Image

COLOURS = 256


@cache
def font_files() -> tuple[str, ...]:
    """Paths of the TTF faces; resvg drops text without a word when it is given anything else."""
    folder = files("games.drawing").joinpath("fonts")
    return tuple(sorted(str(face) for face in folder.iterdir() if face.name.endswith(".ttf")))


def to_png(svg: str, width: int) -> bytes:
    """The picture `width` pixels wide, opaque, with a palette by median cut refined with k-means, undithered."""
    raw = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=list(font_files()),
        font_family="IBM Plex Sans Condensed",
        sans_serif_family="IBM Plex Sans Condensed",
        monospace_family="IBM Plex Mono",
    )
    image = Image.open(io.BytesIO(bytes(raw))).convert("RGB")
    small = image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()
