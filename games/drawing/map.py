"""What a map needs: frames and crops, footprints, control, borders, label places, rivers, roads, routes.

Board data is in its own units; a `Frame` turns it into px. The slow parts (`pole`, `buildings`, `borders`) depend on
board data and scale alone and are cached.
"""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.drawing.palette import Theme
from games.drawing.svg import Drawing, Point, circle, group, line, lines, path, polygon, ring
from games.drawing.type import fitted

Box = tuple[float, float, float, float]  # left, top, right, bottom
Ring = tuple[Point, ...]


class Frame(NamedTuple):
    """Board units to px: scaled, then moved. `clip` is the part of the picture it fills."""

    scale: float
    dx: float
    dy: float
    clip: Box

    def at(self, point: Sequence[float]) -> Point:
        return (point[0] * self.scale + self.dx, point[1] * self.scale + self.dy)

    def all(self, points: Iterable[Sequence[float]]) -> Ring:
        return tuple(self.at(point) for point in points)

    def shows(self, box: Box) -> bool:
        """Whether a box in board units is at least partly in the picture."""
        (x0, y0), (x1, y1) = self.at(box[:2]), self.at(box[2:])
        left, top, right, bottom = self.clip
        return x1 > left and x0 < right and y1 > top and y0 < bottom


def bounds(points: Iterable[Sequence[float]]) -> Box:
    xs, ys = zip(*((point[0], point[1]) for point in points), strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def join_boxes(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def whole(board: Box, into: Box) -> Frame:
    """The whole board, as large as `into` allows, centred in it."""
    left, top, right, bottom = into
    wide, high = board[2] - board[0], board[3] - board[1]
    scale = min((right - left) / wide, (bottom - top) / high)
    dx = left + (right - left - wide * scale) / 2 - board[0] * scale
    dy = top + (bottom - top - high * scale) / 2 - board[1] * scale
    return Frame(scale, dx, dy, into)


def crop(
    fight: Sequence[Box],
    targets: Sequence[Box],
    into: Box,
    board: Box,
    smallest: float,
    largest: float,
    ring: float = 0,
) -> Frame:
    """The area of action: the fight and all targets with `ring` board units around them.

    `smallest` is the scale at which a counter is 44 px; the frame never goes below it. Targets that do not fit then
    are left to the words of the ballot, and the fight stays in the middle. It never looks beyond the board.
    """
    left, top, right, bottom = into
    wide, high = right - left, bottom - top
    wanted = [*fight, *targets] or [board]
    box = _grown(join_boxes(wanted), ring)
    scale = min(wide / (box[2] - box[0]), high / (box[3] - box[1]))
    if scale < smallest:
        if fight:
            box = _grown(join_boxes(fight), ring)
        scale = smallest
    scale = min(scale, largest)
    cx, cy = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    cx = _held(cx, wide / scale, board[0], board[2])
    cy = _held(cy, high / scale, board[1], board[3])
    return Frame(scale, left + wide / 2 - cx * scale, top + high / 2 - cy * scale, into)


def _grown(box: Box, by: float) -> Box:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def _held(middle: float, seen: float, low: float, high: float) -> float:
    """The middle moved so that `seen` units about it stay between low and high, where there is room."""
    if seen >= high - low:
        return (low + high) / 2
    return max(low + seen / 2, min(high - seen / 2, middle))


# --- polygons ------------------------------------------------------------------------------------------


def inside(x: float, y: float, points: Sequence[Point]) -> bool:
    found = False
    x0, y0 = points[-1]
    for x1, y1 in points:
        if (y1 > y) != (y0 > y) and x < (x0 - x1) * (y - y1) / (y0 - y1) + x1:
            found = not found
        x0, y0 = x1, y1
    return found


def edge_distance(x: float, y: float, points: Sequence[Point]) -> float:
    """Distance to the nearest edge; negative outside."""
    best = math.inf
    x0, y0 = points[-1]
    for x1, y1 in points:
        dx, dy = x1 - x0, y1 - y0
        length = dx * dx + dy * dy
        share = max(0.0, min(1.0, ((x - x0) * dx + (y - y0) * dy) / length)) if length else 0.0
        best = min(best, (x - x0 - share * dx) ** 2 + (y - y0 - share * dy) ** 2)
        x0, y0 = x1, y1
    return math.sqrt(best) * (1 if inside(x, y, points) else -1)


@lru_cache(maxsize=2048)
def pole(points: Ring) -> tuple[float, float, float]:
    """The point farthest from every edge, and that distance: the middle for labels and counters."""
    left, top, right, bottom = bounds(points)
    step = max(right - left, bottom - top) / 12
    best = max(
        (edge_distance(x, y, points), -x, -y)
        for x in _steps(left + step / 2, right, step)
        for y in _steps(top + step / 2, bottom, step)
    )
    reach, x, y = best[0], -best[1], -best[2]
    while step > 0.5:
        step /= 2
        for dx in (-step, 0, step):
            for dy in (-step, 0, step):
                found = edge_distance(x + dx, y + dy, points)
                if found > reach + 1e-9:
                    reach, x, y = found, x + dx, y + dy
    return (x, y, reach)


def _steps(start: float, end: float, step: float) -> list[float]:
    return [start + at * step for at in range(max(1, int((end - start) / step) + 1))]


def room_at(points: Sequence[Point], x: float, y: float) -> float:
    """The free width of the polygon on the horizontal line through (x, y)."""
    cuts = []
    x0, y0 = points[-1]
    for x1, y1 in points:
        if (y1 > y) != (y0 > y):
            cuts.append((x0 - x1) * (y - y1) / (y0 - y1) + x1)
        x0, y0 = x1, y1
    left = max((cut for cut in cuts if cut <= x), default=x)
    right = min((cut for cut in cuts if cut >= x), default=x)
    return right - left


def top_left(points: Sequence[Point], margin: float) -> Point:
    """Where a badge of half-size `margin` sits in the upper left of a polygon, wholly inside where possible."""
    left, top, right, bottom = bounds(points)
    best, found = math.inf, (left + margin, top + margin)
    for y in _steps(top + margin, bottom, 3):
        for x in _steps(left + margin, right, 3):
            cost = (x - left) + 1.25 * (y - top)
            if cost < best and edge_distance(x, y, points) >= margin:
                best, found = cost, (x, y)
    return found


# length, depth, share built, for TEM 0 to 4
_BLOCKS = ((46.0, 22.0, 0.22), (34.0, 17.0, 0.42), (25.0, 13.0, 0.62), (18.0, 10.0, 0.78), (13.0, 8.0, 0.9))


@lru_cache(maxsize=2048)
def buildings(points: Ring, seed: str, tem: int, grain: float = 1) -> str:
    """Path data of building footprints in a polygon (px): few and large at TEM 0, dense and small at TEM 4."""
    rng = random.Random(f"footprints {seed}")
    long, deep, share = _BLOCKS[max(0, min(4, tem))]
    long, deep = long * grain, deep * grain
    turn = math.radians(rng.uniform(-7, 7))
    cos, sin = math.cos(turn), math.sin(turn)
    left, top, right, bottom = bounds(points)
    mx, my = (left + right) / 2, (top + bottom) / 2
    reach = math.hypot(right - left, bottom - top) / 2
    margin = 3 * grain
    out = []
    v = -reach
    while v < reach:
        u = -reach + rng.uniform(0, long)
        while u < reach:
            w = long * rng.uniform(0.55, 1.25)
            h = deep * rng.uniform(0.72, 0.96)
            built, notch = rng.random() < share, rng.random() < 0.25
            nw, nh = w * rng.uniform(0.25, 0.5), h * rng.uniform(0.3, 0.5)
            if built:
                shape = [(u, v), (u + w, v), (u + w, v + h), (u, v + h)]
                if notch:
                    shape[2:3] = [(u + w, v + h - nh), (u + w - nw, v + h - nh), (u + w - nw, v + h)]
                corners = [(mx + a * cos - b * sin, my + a * sin + b * cos) for a, b in shape]
                if all(edge_distance(x, y, points) > margin for x, y in corners):
                    out.append("M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in corners) + "Z")
            u += w + long * rng.choice((0.09, 0.09, 0.3))
        v += deep * rng.choice((1.14, 1.14, 1.5))
    return "".join(out)


@lru_cache(maxsize=512)
def _common(one: Ring, two: Ring, slack: float) -> tuple[tuple[Point, Point], ...]:
    """Stretches of border that two polygons share, where edges lie on one another."""
    out = []
    for a, b in _edges(one):
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = math.hypot(dx, dy)
        if length < 1e-9:
            continue
        ux, uy = dx / length, dy / length
        for c, d in _edges(two):
            off_c = (c[0] - a[0]) * -uy + (c[1] - a[1]) * ux
            off_d = (d[0] - a[0]) * -uy + (d[1] - a[1]) * ux
            if abs(off_c) > slack or abs(off_d) > slack:
                continue
            along = sorted(((c[0] - a[0]) * ux + (c[1] - a[1]) * uy, (d[0] - a[0]) * ux + (d[1] - a[1]) * uy))
            low, high = max(0.0, along[0]), min(length, along[1])
            if high - low > max(slack, 1e-6):
                out.append(((a[0] + ux * low, a[1] + uy * low), (a[0] + ux * high, a[1] + uy * high)))
    return tuple(out)


def _edges(points: Sequence[Point]) -> Iterable[tuple[Point, Point]]:
    return zip(points, (*points[1:], points[0]), strict=True)


def borders(
    areas: Mapping[str, Ring], pairs: Iterable[tuple[str, str]], slack: float = 0.6
) -> dict[tuple[str, str], tuple[tuple[Point, Point], ...]]:
    """The shared border of each pair of adjacent areas, in the units of the polygons."""
    return {(a, b): _common(areas[a], areas[b], slack) for a, b in pairs}


def chains(stretches: Iterable[tuple[Point, Point]]) -> list[list[Point]]:
    """Stretches put end to end into as few lines as possible."""
    rest = [(_key(a), _key(b)) for a, b in stretches]
    out: list[list[Point]] = []
    while rest:
        a, b = rest.pop(0)
        chain = [a, b]
        grown = True
        while grown:
            grown = False
            for at, (c, d) in enumerate(rest):
                if c == chain[-1] or d == chain[-1]:
                    chain.append(d if c == chain[-1] else c)
                elif c == chain[0] or d == chain[0]:
                    chain.insert(0, d if c == chain[0] else c)
                else:
                    continue
                rest.pop(at)
                grown = True
                break
        out.append(chain)
    return out


def _key(point: Point) -> Point:
    return (round(point[0], 1), round(point[1], 1))


# --- drawing -------------------------------------------------------------------------------------------


def area(
    d: Drawing,
    points: Ring,
    seed: str,
    tem: int,
    control: str,
    contested: bool = False,
    grain: float = 1,
    street: float = 5,
    fade: float = 1,
) -> None:
    """Ground, footprints, control pattern and street of one area (px); contested keeps its controller's tint."""
    t = d.theme
    ground, built = t.ground(control, tem)
    d.add(polygon(points, ground, opacity=fade), layer=3)
    footprints = buildings(points, seed, tem, grain)
    if footprints:
        d.add(path(footprints, built, opacity=fade), layer=4)
    pattern = "stripes" if contested else "dots" if control == "coalition" else "hatch"
    d.add(polygon(points, d.pattern(pattern, grain), opacity=fade), layer=5)
    if street:
        d.add(polygon(points, "none", t.street, street), layer=6)
    if contested:
        inner = d.clip(f"area-{seed}", polygon(points, "#000000"))
        edge = polygon(points, "none", t.case, street + 6 * grain) + polygon(
            points, "none", t.last, street + 4.6 * grain, f"{6 * grain:.1f} {4 * grain:.1f}"
        )
        d.add(group(edge, polygon(points, "none", t.street, street), clip=inner), layer=9)


def open_ground(points: Ring, seed: str, theme: Theme, grain: float = 1) -> str:
    """Green ground with a few bushes, which nobody holds."""
    rng = random.Random(f"bushes {seed}")
    left, top, right, bottom = bounds(points)
    out = polygon(points, theme.green)
    for _ in range(int((right - left) * (bottom - top) / (420 * grain * grain))):
        x, y, r = rng.uniform(left, right), rng.uniform(top, bottom), rng.uniform(1.4, 3.2) * grain
        if edge_distance(x, y, points) > r + 2 * grain:
            out += circle(x, y, r, theme.green_dark)
    return out


def front_line(d: Drawing, stretches: Iterable[tuple[Point, Point]], grain: float = 1) -> None:
    """Each border between Coalition and insurgent control, as one blue line with pale case."""
    found = chains(stretches)
    for chain in found:
        d.add(line(chain, d.theme.case, 6.4 * grain), layer=8)
    for chain in found:
        d.add(line(chain, d.theme.coalition, 4.6 * grain), layer=8)


def place_name(
    theme: Theme, words: str, x: float, y: float, width: float, size: float = 9.6, ground: str = "", rows: int = 2
) -> str:
    """The name of a place centred on x, first baseline y, wrapped before it shrinks, with a halo of its ground."""
    wrapped, fit = fitted(words, width, size, 500, rows, min(size, 9.5))
    return lines(x, y, wrapped, theme.ink, fit, 1.08, 500, "middle", ground or theme.paper, fit * 0.23)


def river(points: Sequence[Point], width: float, theme: Theme) -> str:
    """A ribbon of water with a darker bank."""
    d = smooth(points)
    return path(d, "none", theme.water_edge, width + 2, join="round") + path(
        d, "none", theme.water, width, join="round"
    )


def road(points: Sequence[Point], theme: Theme, width: float = 9, main_supply: bool = False) -> str:
    """A cased road; the main supply route is deep yellow with a dashed middle."""
    out = line(points, theme.road_case, width + 2.4) + line(points, theme.msr if main_supply else theme.road, width)
    return out + (line(points, theme.road_case, 1, "7 5", cap="butt") if main_supply else "")


def rail(points: Sequence[Point], theme: Theme) -> str:
    """A railway: a line with sleepers."""
    return line(points, theme.rail, 1.8) + line(points, theme.rail, 7, "1.3 7", cap="butt")


def route(start: Point, end: Point, theme: Theme, kind: str = "road", width: float = 7) -> str:
    """A way between two spaces: `road`, `msr`, `bridge` (heavy rails) or `river` (dashed crossing)."""
    if kind == "river":
        return line((start, end), theme.case, 4.4) + line((start, end), theme.coalition, 2.2, "3.4 3.6", cap="butt")
    if kind == "msr":
        return road((start, end), theme, width + 2, main_supply=True)
    if kind == "bridge":
        return line((start, end), theme.ink, width + 4, cap="butt") + line((start, end), theme.road, width, cap="butt")
    return line((start, end), theme.way_case, width + 1.6) + line((start, end), theme.street, width)


def smooth(points: Sequence[Point]) -> str:
    """Path data of a soft curve through the points."""
    if len(points) < 3:
        return ring(points, close=False)
    out = [f"M{points[0][0]:.1f},{points[0][1]:.1f}"]
    for at in range(len(points) - 1):
        before, here = points[max(0, at - 1)], points[at]
        there, after = points[at + 1], points[min(len(points) - 1, at + 2)]
        c1 = (here[0] + (there[0] - before[0]) / 6, here[1] + (there[1] - before[1]) / 6)
        c2 = (there[0] - (after[0] - here[0]) / 6, there[1] - (after[1] - here[1]) / 6)
        out.append(f"C{c1[0]:.1f},{c1[1]:.1f} {c2[0]:.1f},{c2[1]:.1f} {there[0]:.1f},{there[1]:.1f}")
    return "".join(out)


def toward_border(start: Point, end: Point, points: Sequence[Point], inset: float = 10) -> Point:
    """Where the straight way from `start` enters the polygon, `inset` px further: an arrow ends there."""
    length = math.hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    for step in range(201):
        share = step / 200
        x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
        if inside(x, y, points):
            share = min(1.0, share + inset / length)
            return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
    return end


@lru_cache(maxsize=4096)
def place_for(points: Ring, width: float, height: float, below: float = -math.inf) -> tuple[float, float, bool]:
    """Where a box of that size sits best in a polygon, under the line `below`; and whether it fits wholly inside.

    Of the places where it fits, the one nearest the middle; where it fits nowhere, the one that sticks out least.
    """
    left, top, right, bottom = bounds(points)
    mx, my, _ = pole(points)
    if below > -math.inf:
        my = (max(top, below) + bottom) / 2
    step = max(2.0, min(right - left, bottom - top) / 24)
    low = max(top, below) + height / 2
    best: tuple[float, float, float, float] | None = None
    for y in _steps(low, max(low, bottom - height / 2), step):
        for x in _steps(left + width / 2, max(left + width / 2, right - width / 2), step):
            out = -min(edge_distance(x + dx, y + dy, points) for dx, dy in _corners(width / 2, height / 2))
            cost = (max(0.0, round(out, 2)), math.hypot(x - mx, y - my), x, y)
            if best is None or cost < best:
                best = cost
    assert best is not None
    return (best[2], best[3], best[0] == 0)


def _corners(dx: float, dy: float) -> tuple[Point, ...]:
    return ((-dx, -dy), (dx, -dy), (dx, dy), (-dx, dy))
