"""Counters lying on the map: squares, diamonds, stacks and piles. They look alike in both themes."""

from collections.abc import Sequence

import msgspec

from games.drawing.palette import (
    AMBER,
    BLACK,
    EARTH,
    FOE,
    FOE_GREY,
    FOE_INK,
    FOE_SPENT,
    GOLD,
    LIGHT,
    NATIONS,
    REDUCED,
    SALMON,
    VIOLET,
    WHITE,
    mix,
)
from games.drawing.svg import circle, group, path, polygon, rect, ring, text
from games.drawing.symbols import glyph, star_points, symbol
from games.drawing.type import fitted, width_of

SHADOW = 0.28


class Counter(msgspec.Struct, frozen=True):
    """A Coalition unit as it is drawn. `label` is the id as typed in orders."""

    label: str
    symbol: str = "infantry"
    nation: str = "usmc"
    left: str = ""  # combat factor or firepower, as printed: `4`, `(2)`, `+2`
    middle: str = ""  # contact
    right: str = ""  # movement
    echelon: str = ""  # platoon, company, battalion
    spent: bool = False
    reduced: bool = False
    badges: tuple[str, ...] = ()  # fired, pinned, moved, hero, leader, caat, se
    ring: str = ""  # choose, selected
    lost: bool = False


class Diamond(msgspec.Struct, frozen=True):
    """One kind of insurgent in one state; `count` of them share the diamond."""

    kind: str  # fedayeen, cadre, militia, guerillas, martyrs, suspect, jihadist, heavy_weapons, hvt
    figure: str = ""
    count: int = 1
    spent: bool = False
    dug_in: bool = False
    ring: str = ""
    lost: bool = False
    badges: tuple[str, ...] = ()


_BADGES: dict[str, tuple[str, str, str]] = {  # fill, edge, what is on it
    "fired": (AMBER, "#5C3A00", path(ring(star_points(5.2, 9, 0.5)), BLACK)),
    "pinned": (VIOLET, WHITE, path("M0,-4V2M-2.6,-0.6L0,2L2.6,-0.6M-3.4,3.8H3.4", "none", WHITE, 1.5, cap="round")),
    "moved": (WHITE, BLACK, path("M-3.6,-3L-0.6,0L-3.6,3M0.4,-3L3.4,0L0.4,3", "none", BLACK, 1.6, cap="round")),
    "hero": (GOLD, "#5C3A00", path(ring(star_points(4.8)), BLACK)),
    "leader": (WHITE, BLACK, path(ring(star_points(4.8)), BLACK)),
    "caat": (WHITE, BLACK, text(0, 3.2, "K", BLACK, 9, 700, "middle")),
    "se": (WHITE, BLACK, text(0, 2.9, "SE", BLACK, 8, 700, "middle")),
}
_FIRST_CORNER = ("fired", "pinned", "moved")
_CORNERS = ((22.5, -22.5), (-22.5, -22.5), (22.5, 22.5), (-22.5, 22.5))
_ECHELONS = {
    "platoon": "".join(circle(0, y, 1.15, "INK") for y in (-3.8, 0, 3.8)),
    "company": path("M0,-2.4V2.4", "none", "INK", 1.7),
    "battalion": path("M-1.5,-2.4V2.4M1.5,-2.4V2.4", "none", "INK", 1.5),
}


def status_badge(kind: str, x: float, y: float, scale: float = 1) -> str:
    """A round badge of radius 7: fired, pinned, moved, hero, leader, caat or se."""
    fill, edge, inside = _BADGES[kind]
    return group(circle(0, 0, 7, fill, edge, 1.1), inside, x=x, y=y, scale=scale)


def _badges(kinds: Sequence[str], taken: int = 0) -> str:
    """Badges in the free corners: upper right for what a unit did, then upper left, then below."""
    order = sorted(kinds, key=lambda kind: kind not in _FIRST_CORNER)
    free = [corner for at, corner in enumerate(_CORNERS) if at != taken or not taken]
    return "".join(status_badge(kind, *at) for kind, at in zip(order, free, strict=False))


def lost_cross(x: float, y: float, r: float = 18, colour: str = LIGHT.last) -> str:
    """The vermilion cross over what has just been lost."""
    d = f"M{x - r:.1f},{y - r:.1f}L{x + r:.1f},{y + r:.1f}M{x + r:.1f},{y - r:.1f}L{x - r:.1f},{y + r:.1f}"
    return path(d, "none", WHITE, r / 2.6, cap="round") + path(d, "none", colour, r / 4.4, cap="round")


def _ring(kind: str, shape: str = "square") -> str:
    """Yellow for a piece that may be chosen, pale yellow for the chosen one; both cased in ink."""
    if not kind:
        return ""
    colour = LIGHT.choose if kind == "choose" else LIGHT.selected
    if shape == "diamond":
        points = [(0, -27.5), (27.5, 0), (0, 27.5), (-27.5, 0)]
        return polygon(points, colour, BLACK, 1.2) + polygon([(x * 0.86, y * 0.86) for x, y in points], BLACK)
    outer = rect(-28.6, -28.6, 57.2, 57.2, 9.6, colour, BLACK, 1.2)
    return outer + rect(-25.2, -25.2, 50.4, 50.4, 7, BLACK)


def draw_counter(unit: Counter, x: float, y: float, size: float = 48, shadow: bool = True) -> str:
    """A square counter of `size` px with its centre at (x, y)."""
    nation = NATIONS[unit.nation]
    ink = nation.ink
    fill = mix(nation.fill, "#FFFFFF", 0.55) if unit.spent else nation.fill
    out = [_ring(unit.ring)]
    if shadow and not unit.ring:
        out.append(rect(-22.8, -22.2, 48, 48, 6, "#000000", fill_opacity=SHADOW))
    out.append(rect(-24, -24, 48, 48, 6, fill, ink, 1.5))
    head = ink
    if nation.header == "solid":
        band = mix(ink, "#FFFFFF", 0.35) if unit.spent else ink
        out.append(path("M-23.3,-11.9V-18a5.3,5.3 0 0 1 5.3,-5.3H18a5.3,5.3 0 0 1 5.3,5.3V-11.9Z", band))
        head = WHITE
    elif nation.header == "double":
        out.append(path("M-23.3,-13.6H23.3M-23.3,-11.6H23.3", "none", ink, 0.9))
    if unit.reduced:
        out.append(path("M-24,-24H-9L-24,-9Z", REDUCED))
        out.append(text(-23, -15.6, "½", WHITE, 8.6, 700))
    low = -9.5 if unit.reduced else -15.0 if len(unit.badges) > 1 else -21.5
    high = 15.0 if unit.badges else 21.5
    (label, *_), fit = fitted(unit.label, high - low, 10, 600, 1, 6.5)
    out.append(text((low + high) / 2, -14.7, label, head, fit, 600, "middle"))
    dash = "2.4 1.8" if unit.spent else ""
    out.append(rect(-14, -10.4, 28, 17, 1.2, WHITE, ink, 1.2, dash))
    out.append(symbol(unit.symbol, 0, -1.9, ink, WHITE, 0.86))
    if unit.echelon:
        out.append(group(_ECHELONS[unit.echelon].replace('"INK"', f'"{ink}"'), x=19.1, y=-1.9))
    out.append(_figures(unit, ink))
    if unit.spent:
        out.append(path("M24,9L9,24H18a6,6 0 0 0 6,-6Z", mix(nation.ink, "#FFFFFF", 0.35)))
        out.append(path("M24,9L9,24L11.4,12.6Z", "#FFFFFF", ink, 1, join="round"))
    out.append(_badges(unit.badges, 1 if unit.reduced else 0))
    piece = group(*out, x=x, y=y, scale=size / 48, opacity=0.6 if unit.lost else 1)
    return piece + (lost_cross(x, y, size * 0.42) if unit.lost else "")


def _figures(unit: Counter, ink: str) -> str:
    out = ""
    if unit.left:
        out += text(-20, 20.2, unit.left, ink, 12.5 if unit.middle and len(unit.left) > 2 else 15.5, 700)
    if unit.middle:
        out += text(0.6, 20.2, unit.middle, ink, 12.5, 600, "middle")
    if unit.right and not unit.spent:
        out += text(20, 20.2, unit.right, ink, 15.5, 500, "end")
    return out


_AMBER_KINDS = {"fedayeen", "hvt"}


def draw_diamond(foe: Diamond, x: float, y: float, size: float = 44, shadow: bool = True) -> str:
    """An insurgent diamond `size` px across with its centre at (x, y)."""
    suspect = foe.kind == "suspect"
    fill = FOE_GREY if foe.kind == "militia" else FOE
    ink, accent = FOE_INK, AMBER if foe.kind in _AMBER_KINDS else SALMON if foe.kind == "martyrs" else FOE_INK
    edge, dash = WHITE, ""
    if foe.spent:
        fill, ink, accent, edge, dash = FOE_SPENT, BLACK, BLACK, BLACK, "3 2.2"
    if suspect:
        fill, ink, accent, edge, dash = WHITE, BLACK, BLACK, BLACK, "3.4 2.4"
    points = [(0.0, -22.0), (22.0, 0.0), (0.0, 22.0), (-22.0, 0.0)]
    out = [_ring(foe.ring, "diamond")]
    if shadow and not foe.ring:
        out.append(polygon([(px + 1.2, py + 1.8) for px, py in points], "#000000", fill_opacity=SHADOW))
    if dash:
        out.append(polygon(points, fill) + polygon(points, "none", WHITE, 1.8))
    out.append(polygon(points, fill, edge, 1.5, dash))
    figured = bool(foe.figure) and not (suspect and foe.figure == "?")
    out.append(glyph(foe.kind, 0, -6.8 if figured else 0, accent, fill, 0.82 if figured else 1.1))
    if figured:
        out.append(text(0, 14.4, foe.figure, ink, 15 if len(foe.figure) < 3 else 12, 700, "middle"))
    if foe.dug_in:
        d = "M-23,19V24H-10V20H-5V24H5V20H10V24H23V19"
        out.append(path(d, "none", WHITE, 5) + path(d, "none", EARTH, 2.8))
    if foe.count > 1:
        out.append(count_badge(foe.count, 15, -15))
    out.append("".join(status_badge(kind, -15, -15) for kind in foe.badges[:1]))
    piece = group(*out, x=x, y=y, scale=size / 44, opacity=0.6 if foe.lost else 1)
    return piece + (lost_cross(x, y, size * 0.36) if foe.lost else "")


def count_badge(count: int, x: float, y: float, scale: float = 1) -> str:
    """A white lozenge with `×n`."""
    words = f"×{count}"
    w = max(17.0, width_of(words, 11, 700) + 8)
    return group(
        rect(-w / 2, -7, w, 14, 7, WHITE, BLACK, 1.1),
        text(0, 4, words, BLACK, 11, 700, "middle"),
        x=x,
        y=y,
        scale=scale,
    )


def pip_bar(fresh: int, spent: int, x: float, y: float, ink: str = BLACK, scale: float = 1) -> str:
    """One pip for each unit of a stack: filled is fresh, hollow spent."""
    count = fresh + spent
    w = count * 6.4 + 4
    pips = "".join(circle(-w / 2 + 5.2 + at * 6.4, 0, 2.4, ink if at < fresh else WHITE, ink, 1) for at in range(count))
    return group(rect(-w / 2, -4.4, w, 8.8, 4.4, WHITE, ink, 1), pips, x=x, y=y, scale=scale)


def best_first(units: Sequence[Counter]) -> list[Counter]:
    """Fresh before spent, then the highest combat factor; the order in which a stack lies."""

    def strength(unit: Counter) -> int:
        digits = "".join(char for char in unit.left if char.isdigit())
        return int(digits or 0) - (10 if unit.left.startswith(("(", "+", "−", "-")) else 0)

    return sorted(units, key=lambda unit: (unit.spent, -strength(unit), unit.label))


def draw_stack(units: Sequence[Counter], x: float, y: float, size: float = 48, pips: bool = True) -> str:
    """A stack of 1 to 8: the best unit on top, up to three edges behind, a pip bar below."""
    order = best_first(units)
    if not order:
        return ""
    top, scale = order[0], size / 48
    out = []
    edges = min(3, len(order) - 1)
    for at in range(edges, 0, -1):
        nation = NATIONS[order[at].nation]
        fill = mix(nation.fill, "#FFFFFF", 0.55) if order[at].spent else mix(nation.fill, nation.ink, 0.25)
        out.append(rect(-24 + 2.6 * at, -24 - 2.6 * at, 48, 48, 6, fill, nation.ink, 1.3))
    if edges and not top.ring:
        out.insert(0, rect(-22.8 + 2.6, -22.2, 48 + 2.6, 48, 6, "#000000", fill_opacity=SHADOW))
    piece = group(*out, x=x, y=y, scale=scale) if out else ""
    piece += draw_counter(top, x, y, size)
    if pips and len(order) > 1:
        spent = sum(unit.spent for unit in order)
        drop = 30.6 if top.ring else 27.4
        piece += pip_bar(len(order) - spent, spent, x, y + drop * scale, NATIONS[top.nation].ink, scale)
    return piece


def draw_pile(foes: Sequence[Diamond], x: float, y: float, size: float = 44, columns: int = 2, gap: float = 1) -> str:
    """Up to four diamonds in rows of `columns`, centred on (x, y); more fold into the last with their total."""
    shown = list(foes[:4])
    if len(foes) > 4:
        rest = sum(foe.count for foe in foes[3:])
        shown[3] = msgspec.structs.replace(foes[3], count=rest)
    rows = [shown[at : at + columns] for at in range(0, len(shown), columns)]
    high = [any(foe.dug_in for foe in row) for row in rows]
    tall = sum(size * (1.1 if dug else 0.96) for dug in high)
    out, top = "", y - tall / 2
    for row, dug in zip(rows, high, strict=True):
        wide = len(row) * (size + gap) - gap
        for at, foe in enumerate(row):
            out += draw_diamond(foe, x - wide / 2 + size / 2 + at * (size + gap), top + size / 2, size)
        top += size * (1.1 if dug else 0.96)
    return out


def fold(foes: Sequence[Diamond]) -> Diamond:
    """The lead diamond with the total of all, for narrow places."""
    return msgspec.structs.replace(foes[0], count=sum(foe.count for foe in foes))


def draw_both(
    units: Sequence[Counter], foes: Sequence[Diamond], x: float, y: float, width: float, size: float = 48
) -> str:
    """Both sides in a place `width` px wide: side by side, or one over the other where it is narrow."""
    small = size * 44 / 48
    if not foes:
        return draw_stack(units, x, y, size)
    if not units:
        columns = 2 if width >= 2 * small else 1
        pile = foes if len(foes) == 1 or width >= 80 else [fold(foes)]
        return draw_pile(pile, x, y, small, columns)
    if width >= 2.6 * size:
        columns = 2 if width >= 3.4 * size and len(foes) > 1 else 1
        shown = foes if columns == 2 or len(foes) < 3 else [fold(foes)]
        side = small * columns
        left = x - (size + 8 + side) / 2 + size / 2
        return draw_stack(units, left, y, size) + draw_pile(shown, left + size / 2 + 8 + side / 2, y, small, columns)
    shown = [fold(foes)] if width < 80 or len(foes) > 2 else foes
    columns = 2 if width >= 2 * small else 1
    return draw_stack(units, x, y - size * 0.5, size) + draw_pile(shown[:columns], x, y + size * 0.66, small, columns)
