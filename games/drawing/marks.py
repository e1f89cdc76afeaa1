"""Marks on the map: badges, terrain bars, arrows, bursts, ballot numbers, dice, nodes."""

import math

from games.drawing.palette import AMBER, BLACK, FOE, GOLD, LIGHT, WHITE, Theme
from games.drawing.svg import Point, circle, group, line, path, polygon, rect, ring, text
from games.drawing.symbols import NODES, glyph, star_points
from games.drawing.type import width_of

_DOME = "M-12.5,12.5V-3.6C-12.5,-5 -3,-12 0,-15.6C3,-12 12.5,-5 12.5,-3.6V12.5Z"


def area_badge(kind: str, label: str, x: float, y: float, size: float = 25) -> str:
    """The badge that names a place: circle (`plain`), `mosque` dome, `objective` triangle, `square` or `black`."""
    scale = size / 25
    fit = min(13.0, 13.0 * 21 / max(21.0, width_of(label, 13, 700)))
    drop, ink = 4.7, BLACK
    if kind == "mosque":
        shape, ink, drop = path(_DOME, LIGHT.mosque, BLACK, 1.4), "#FFFFFF", 7.4
    elif kind == "objective":
        shape = path("M0,-14.6L16.4,12.4H-16.4Z", GOLD, BLACK, 1.5, join="round")
        fit, drop = min(fit, 12), 9.6
    elif kind == "square":
        shape = rect(-13, -13, 26, 26, 2, GOLD, BLACK, 1.4)
    elif kind == "black":
        shape, ink = circle(0, 0, 12.5, BLACK, WHITE, 1.4), WHITE
    elif kind == "fortified":
        shape, ink = circle(0, 0, 12.5, "#B3201F", BLACK, 1.4), "#FFFFFF"
    else:
        shape = circle(0, 0, 12.5, WHITE, BLACK, 1.5)
    return group(shape, text(0, drop, label, ink, fit, 700, "middle"), x=x, y=y, scale=scale)


def tem_bars(tem: int, x: float, y: float, theme: Theme, scale: float = 1) -> str:
    """Four small bars, as many filled as the terrain modifier; (x, y) is their lower left."""
    out = ""
    for at in range(4):
        high = 4.2 + at * 2.5
        fill = theme.ink if at < tem else "none"
        out += rect(at * 4.7, -high, 3.3, high, 0.8, fill, theme.ink, 0.9)
    return group(out, x=x, y=y, scale=scale)


def ballot(number: int | str, x: float, y: float, size: float = 23) -> str:
    """A ballot number: dark rounded square with yellow edge, centre at (x, y)."""
    words = str(number)
    w = max(23.0, width_of(words, 15, 700) + 11)
    return group(
        rect(-w / 2, -11.5, w, 23, 5.5, BLACK, LIGHT.choose, 2),
        text(0, 5.3, words, "#FFFFFF", 15, 700, "middle"),
        x=x,
        y=y,
        scale=size / 23,
    )


def lit(points: list[Point], theme: Theme, wash: bool = True, width: float = 4) -> str:
    """A legal target: yellow edge cased in ink, with a pale wash unless there are too many."""
    out = polygon(points, theme.choose_wash, fill_opacity=theme.choose_opacity) if wash else ""
    return out + polygon(points, "none", BLACK, width * 1.6) + polygon(points, "none", theme.choose, width)


def lit_rect(
    x: float, y: float, w: float, h: float, rx: float, theme: Theme, wash: bool = True, width: float = 4
) -> str:
    """`lit` for a rounded rectangle."""
    out = rect(x, y, w, h, rx, theme.choose_wash, fill_opacity=theme.choose_opacity) if wash else ""
    return out + rect(x, y, w, h, rx, "none", BLACK, width * 1.6) + rect(x, y, w, h, rx, "none", theme.choose, width)


def arrow(
    start: Point,
    end: Point,
    theme: Theme,
    width: float = 7,
    bend: float = 0.12,
    age: int = 0,
    trim_start: float = 0,
    trim_end: float = 0,
) -> str:
    """A curved arrow with pale case and a dot at its start.

    age 0 is the last move, 1 an older one of the same impulse, 2 the enemy's previous move. `trim_*` keep the
    ends off the counters.
    """
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0)
    if length < 1:
        return ""
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    x0, y0, x1, y1 = x0 + ux * trim_start, y0 + uy * trim_start, x1 - ux * trim_end, y1 - uy * trim_end
    length = max(1.0, length - trim_start - trim_end)
    cx, cy = (x0 + x1) / 2 - uy * length * bend * 2, (y0 + y1) / 2 + ux * length * bend * 2
    away = math.hypot(x1 - cx, y1 - cy) or 1.0
    vx, vy = (x1 - cx) / away, (y1 - cy) / away
    head = min(width * 2.6, length * 0.6)
    hx, hy = x1 - vx * head, y1 - vy * head
    inset = 0.72
    bx, by = x1 - vx * head * inset, y1 - vy * head * inset
    shaft = f"M{x0:.1f},{y0:.1f}Q{cx:.1f},{cy:.1f} {bx:.1f},{by:.1f}"
    half = head * 0.56
    tip = [(x1, y1), (hx - vy * half, hy + vx * half), (bx, by), (hx + vy * half, hy - vx * half)]
    colour = theme.older if age == 2 else theme.last
    case = theme.case
    out = path(shaft, "none", case, width + 4, cap="round") + polygon(tip, case, case, 4)
    out += circle(x0, y0, width * 0.95 + 2, case)
    out += path(shaft, "none", colour, width, cap="round") + polygon(tip, colour) + circle(x0, y0, width * 0.95, colour)
    return group(out, opacity=(1, 0.75, 0.55)[min(2, max(0, age))])


def fire(start: Point, end: Point, theme: Theme, width: float = 3.4, size: float = 11) -> str:
    """A shot: dashed line with pale case, burst at the target."""
    out = line((start, end), theme.case, width + 2.8) + line(
        (start, end), theme.last, width, f"{width * 2.6:.1f} {width * 1.9:.1f}", cap="butt"
    )
    return out + burst(end[0], end[1], theme, size)


def burst(x: float, y: float, theme: Theme, size: float = 11) -> str:
    return polygon(star_points(size * 1.35, 11, 0.56, x, y), theme.case) + polygon(
        star_points(size, 11, 0.5, x, y), theme.last
    )


_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def d6(value: int, x: float, y: float, size: float = 30, dark: bool = False) -> str:
    """A six-sided die about (x, y); ours white, theirs dark."""
    fill, pip, edge = (FOE, "#FFFFFF", WHITE) if dark else ("#FFFFFF", BLACK, BLACK)
    pips = "".join(circle(px * 7.6, py * 7.6, 3.1, pip) for px, py in _PIPS[value])
    return group(
        rect(-13.8, -13.2, 30, 30, 6.5, "#000000", fill_opacity=0.28),
        rect(-15, -15, 30, 30, 6.5, fill, edge, 1.6),
        pips,
        x=x,
        y=y,
        scale=size / 30,
    )


def d10(value: int, x: float, y: float, size: float = 34, dark: bool = False) -> str:
    """A ten-sided die with its kite face."""
    fill, ink = (FOE, "#FFFFFF") if dark else ("#FFFFFF", BLACK)
    outline = [(0.0, -17.0), (15.4, -7.4), (15.4, 7.4), (0.0, 17.0), (-15.4, 7.4), (-15.4, -7.4)]
    kite = [(0.0, -17.0), (9.2, 3.2), (0.0, 9.4), (-9.2, 3.2)]
    out = polygon([(x + 1.2, y + 1.8) for x, y in outline], "#000000", fill_opacity=0.28)
    out += polygon(outline, fill, ink if not dark else WHITE, 1.6) + polygon(kite, "none", ink, 1.1)
    out += path("M9.2,3.2L15.4,-7.4M9.2,3.2L15.4,7.4M-9.2,3.2L-15.4,-7.4M-9.2,3.2L-15.4,7.4M0,9.4V17", "none", ink, 1.1)
    return group(out, text(0, 4.6, str(value), ink, 13.5, 700, "middle"), x=x, y=y, scale=size / 34)


def node(kind: str, x: float, y: float, size: float = 30) -> str:
    """A node hexagon: `face_down`, or what was found there."""
    scale = size / 30
    points = [(-15.0, 0.0), (-7.5, -13.0), (7.5, -13.0), (15.0, 0.0), (7.5, 13.0), (-7.5, 13.0)]
    shade = polygon([(px + 1, py + 1.5) for px, py in points], "#000000", fill_opacity=0.28)
    if kind == "face_down":
        inside = polygon(points, FOE, WHITE, 1.4) + glyph("network", 0, 0, WHITE, FOE, 0.82)
    else:
        inside = polygon(points, WHITE, BLACK, 1.5) + glyph(NODES[kind], 0, 0, BLACK, WHITE, 0.9)
    return group(shade, inside, x=x, y=y, scale=scale)


def wave_mark(x: float, y: float, size: float = 14) -> str:
    """A round water mark: the place can be reached over the river."""
    d = "M-4.6,-1.8q1.5,-2.2 3,0t3,0t3,0M-4.6,2.4q1.5,-2.2 3,0t3,0t3,0"
    return group(
        circle(0, 0, 7, LIGHT.coalition, WHITE, 1.1),
        path(d, "none", "#FFFFFF", 1.5, cap="round"),
        x=x,
        y=y,
        scale=size / 14,
    )


_LEVELS = {"R": "#8A8377", "2": "#7F9FC6", "1": WHITE, "C": "#C98760", "OG": "#9DB077"}


def location_box(label: str, x: float, y: float, size: float = 20, faded: bool = False) -> str:
    """A Location of a zone: R with a heavy roof line, C and OG with a door, 2 and 1 by their level.

    `faded` is for zones taken and empty, so that the fight stands out.
    """
    kind = label if label in _LEVELS else label[:1]
    out = rect(-10, -10, 20, 20, 3, _LEVELS.get(kind, WHITE), BLACK, 1.1)
    if kind == "R":
        out += path("M-10,-10H10", "none", BLACK, 2.6)
    if kind in ("C", "OG"):
        out += path("M-3.2,10V6.6a3.2,3.2 0 0 1 6.4,0V10Z", BLACK)
    out += text(0, 2.6 if kind in ("C", "OG") else 3.6, label, BLACK, 9.6, 700, "middle")
    return group(out, x=x, y=y, scale=size / 20, opacity=0.4 if faded else 1)


def roundel(words: str, x: float, y: float, r: float, fill: str = WHITE, ink: str = BLACK, edge: str = BLACK) -> str:
    """A round badge holding a figure."""
    return circle(x, y, r, fill, edge, max(1.2, r * 0.11)) + text(x, y + r * 0.42, words, ink, r * 1.2, 700, "middle")


__all__ = [
    "AMBER",
    "area_badge",
    "arrow",
    "ballot",
    "burst",
    "d6",
    "d10",
    "fire",
    "lit",
    "lit_rect",
    "location_box",
    "node",
    "ring",
    "roundel",
    "tem_bars",
    "wave_mark",
]
