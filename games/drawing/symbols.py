"""Unit symbols in a box of 32 by 20, glyphs of insurgents, nodes and cards in a box of 20, all about (0, 0)."""

import math

from games.drawing.svg import circle, group, path, ring, text

_W = 1.9


def star_points(
    r: float, points: int = 5, inner: float = 0.42, x: float = 0, y: float = 0
) -> list[tuple[float, float]]:
    """A star or, with many points, a burst."""
    out = []
    for at in range(points * 2):
        reach = r if at % 2 == 0 else r * inner
        angle = math.pi * at / points - math.pi / 2
        out.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return out


def _l(d: str, width: float = _W) -> str:
    return path(d, "none", "INK", width, cap="round", join="round")


def _f(d: str, fill: str = "INK") -> str:
    return path(d, fill)


def _star(r: float, x: float = 0, y: float = 0, fill: str = "INK") -> str:
    return path(ring(star_points(r, x=x, y=y)), fill)


def _word(words: str, size: float = 11) -> str:
    return text(0, size * 0.36, words, "INK", size, 700, "middle")


_CROSS = _l("M-16,-10L16,10M-16,10L16,-10")
_SLASH = _l("M-16,10L16,-10")
_OVAL = _l("M-9.5,0a9.5,5 0 1 0 19,0a9.5,5 0 1 0 -19,0")
_WHEELS = "".join(circle(x, 7.9, 1.5, "INK") for x in (-6, 0, 6))
_WAVE = _l("M-13,7.2q2.17,-3 4.33,0t4.33,0t4.34,0t4.33,0t4.33,0t4.34,0", 1.5)
_BRIDGE = _l("M-9,6V-5H9V6M0,-5V6")
_ROTOR = _f("M-13,-6.5L0,-1.2L13,-6.5V6.5L0,1.2L-13,6.5Z")
_TRACKS = _f("M-14.5,2.2L-12.6,-1.6H13L14.8,2.2L11.6,7.4H-11.4Z") + "".join(
    circle(x, 4.1, 1.5, "PAPER") for x in (-9, -4.5, 0, 4.5, 9)
)
_WHEELED = circle(-7.5, 6.2, 3.1, "INK", "PAPER", 1.1) + circle(7.5, 6.2, 3.1, "INK", "PAPER", 1.1)

SYMBOLS: dict[str, str] = {
    "infantry": _CROSS,
    "mech": _CROSS + _OVAL,
    "tank": _OVAL,
    "recon": _SLASH,
    "lar": _SLASH + _OVAL + circle(-4, 7.9, 1.5, "INK") + circle(4, 7.9, 1.5, "INK"),
    "cavalry": _SLASH + _OVAL,
    "engineer": _BRIDGE,
    "armoured_engineer": _OVAL + _l("M-4.6,2.4V-1.8H4.6V2.4M0,-1.8V2.4", 1.6),
    "anti_tank": _l("M-16,10L0,-9.4L16,10"),
    "weapons": _l("M0,7.6V-7M-3.8,-3.4L0,-7.4L3.8,-3.4M-5.4,1.4H5.4M-4.4,7.6H4.4", 1.8),
    "mp": _word("MP"),
    "sf": _word("SF"),
    "amtrac": group(_OVAL, y=-1.6) + _WAVE,
    "boat": _f("M-11,0.4H11L8,5.2H-7.6ZM-2.6,-4.4H4.6V-0.8H-4ZM0,-7.6H1.6V-4.4H0Z") + _WAVE,
    "stryker": _CROSS + _OVAL + _WHEELS,
    "motorised": _CROSS + _WHEELS,
    "sniper": circle(0, 0, 5.4, "none", "INK", 1.7) + _l("M0,-8.6V-2.4M0,2.4V8.6M-8.6,0H-2.4M2.4,0H8.6", 1.6),
    "fob": _f("M-11,7.6V-1.6H-8V0.4H-5V-4.4H-2.4V-2.4H2.4V-4.4H5V0.4H8V-1.6H11V7.6H2.6V3.4H-2.6V7.6Z")
    + _f("M-0.7,-2V-9H6.4L4.6,-7L6.4,-5.2H0.7V-2Z"),
    "gunship": _ROTOR + _l("M0,-8V8M-2.8,5.2L0,8.2L2.8,5.2", 1.7),
    "lift": _ROTOR + _l("M-5,8H5", 2),
    "soar": group(_ROTOR, y=1.6) + _star(4, 0, -5.6),
    "air_strike": _f(
        "M0,-9.4L1.8,-4.4V-2L11.6,4.4V6.6L1.8,3.8V6.4L4.4,8.2V9.6L0,8.6L-4.4,9.6V8.2L-1.8,6.4V3.8"
        "L-11.6,6.6V4.4L-1.8,-2V-4.4Z"
    ),
    "soa": _f(
        "M0,-8.6C1.3,-8.6 1.7,-6.6 1.7,-3.4L13.4,-2.8V0L1.7,1V5.6L5,7V8.6L0,8.2L-5,8.6V7L-1.7,5.6V1"
        "L-13.4,0V-2.8L-1.7,-3.4C-1.7,-6.6 -1.3,-8.6 0,-8.6Z"
    )
    + _l("M-7,-5V-2M7,-5V-2", 1.6),
    "uav": _f("M0,-8.4L1.4,-6V-2.4H14V-0.4L1.4,1V5L4.6,8.4H2.8L0,6.6L-2.8,8.4H-4.6L-1.4,5V1L-14,-0.4V-2.4H-1.4V-6Z"),
    "artillery": circle(0, 0, 3.8, "INK") + _l("M-13,0H-7M7,0H13M0,-8.6V-6M0,6V8.6", 1.7),
    "mortar": circle(0, 4.6, 3, "none", "INK", 1.8) + _l("M0,1.6V-8M-3.6,-4.4L0,-8.2L3.6,-4.4"),
    "netwar": _l("M-13,8a13,14 0 0 1 26,0M-8.6,8a8.6,9.4 0 0 1 17.2,0M-4.3,8a4.3,4.8 0 0 1 8.6,0", 1.7)
    + circle(0, 7.4, 1.6, "INK"),
    "leader": circle(0, 0, 8, "none", "INK", 1.7) + _star(5.8),
    "hero": _f("M-5,-9.4H5V-4.4L0,-1.4L-5,-4.4Z") + _star(6.4, 0, 3.6),
    "abrams": _TRACKS + _f("M-9,-2.4L-7,-6.6H4.6L7.2,-2.4ZM5.6,-5.6H15.6V-4.2H6.4Z"),
    "humvee": _f("M-13.4,5.4V-0.4L-6,-1.4L-3.4,-6H11.4L13.4,-1V5.4Z")
    + _f("M-2.2,-4.6H2.6V-1.2H-4.2Z", "PAPER")
    + _WHEELED,
    "caat": _f("M-13.4,5.4V0.4L-6.4,-0.4L-4,-4H10.6L13.4,0.4V5.4Z")
    + _f("M-2.6,-2.9H2.4V-0.2H-4.2Z", "PAPER")
    + _f("M1.4,-4V-6.4H-8.6V-7.8H6.4V-4Z")
    + _WHEELED,
    "security": _f("M0,-9L8,-6.4V0C8,4.6 4,7.6 0,9.2C-4,7.6 -8,4.6 -8,0V-6.4Z")
    + text(0, 3, "SE", "PAPER", 8.4, 700, "middle"),
    "supply": _l("M-16,4H16", 1.8),
    "hq": _word("HQ"),
    "bulldozer": _TRACKS + _f("M-9,-2V-7.4H1V-2ZM13.6,-6.6H16V7.8H13.6L11.8,3.6V-2.4Z"),
    "crosshair": circle(0, 0, 6.4, "none", "INK", 1.7) + _l("M0,-9V9M-9,0H9", 1.6),
    "disarm": _l("M-8,7.6L5,-5.4M5,-5.4L2.6,-8.8M5,-5.4L9,-3.6M-8,1L1.6,8.2", 1.9) + circle(-9.4, 8, 1.8, "INK"),
    "none": "",
}
for _alias, _name in {
    "armor": "tank",
    "armour": "tank",
    "mech_infantry": "mech",
    "amphibious": "amtrac",
    "aav": "amtrac",
    "riverine": "boat",
    "military_police": "mp",
    "armored_amphibious": "amtrac",
    "armored_recon": "lar",
    "armored_engineer": "armoured_engineer",
    "mechanized": "mech",
    "sof": "sf",
    "helo_gunship": "gunship",
    "helo_transport": "lift",
    "helo_special": "soar",
    "special_forces": "sf",
    "air": "air_strike",
    "special_ops_air": "soa",
    "special_ops_helo": "soar",
    "transport": "lift",
    "helicopter": "gunship",
    "arty": "artillery",
    "at": "anti_tank",
    "engineers": "engineer",
    "predator": "uav",
}.items():
    SYMBOLS[_alias] = SYMBOLS[_name]

# --- glyphs of diamonds, nodes and cards: a box of 20 -------------------------------------------------

_HEAD = circle(0, -2.9, 2.7, "INK") + _f("M-5,5.4C-5,0.6 5,0.6 5,5.4Z")
_BOMB = (
    circle(-2, 3, 5.6, "INK")
    + _l("M1.4,-1.6C3,-5.4 6,-5.6 7,-5.4", 1.9)
    + path(ring(star_points(3, 8, 0.4, 8, -5.8)), "INK")
)
_HOUSE = "M-8.4,-0.6L0,-8.4L8.4,-0.6V8.4H-8.4Z"

GLYPH_SHAPES: dict[str, str] = {
    "fedayeen": _l("M-6,-6L6,6M6,-6L-6,6", 2.6),
    "cadre": _star(8, y=0.6),
    "militia": group(_HEAD, y=-1, scale=0.86)
    + group(_HEAD, x=-7.4, y=2, scale=0.7)
    + group(_HEAD, x=7.4, y=2, scale=0.7),
    "guerillas": _l("M-5.4,5.8L5.4,-5.8", 2.4) + circle(-4.2, -4, 2.3, "INK") + circle(4.2, 4, 2.3, "INK"),
    "martyrs": path(ring(star_points(8.4, 9, 0.52)), "INK"),
    "suspect": text(0, 6.4, "?", "INK", 18, 700, "middle"),
    "jihadist": _f("M0,-7L7.6,6H-7.6Z"),
    "heavy_weapons": _l("M0,8V-7.4M-3.8,-3.6L0,-7.6L3.8,-3.6M-5.6,1.6H5.6M-4.6,8H4.6", 2),
    "hvt": circle(0, 0, 8.4, "none", "INK", 1.7) + group(_HEAD, y=0.6, scale=0.86),
    "leader": circle(0, 0, 8.4, "none", "INK", 1.7) + group(_HEAD, y=0.6, scale=0.86),
    "sniper": circle(0, 0, 5.6, "none", "INK", 1.7) + _l("M0,-8.6V-3M0,3V8.6M-8.6,0H-3M3,0H8.6", 1.6),
    "rpg": _l("M-8,6L3,-4", 2.4) + _f("M1,-5.4L8.8,-8.4L5,-1Z") + _l("M-3,1.4L-1.4,5.4", 1.8),
    "rocket": _f(
        "M-2.2,4.6V-4C-2.2,-7 0,-9 0,-9C0,-9 2.2,-7 2.2,-4V4.6ZM-2.2,0.4L-5.4,6V7.6L-2.2,4.6Z"
        "M2.2,0.4L5.4,6V7.6L2.2,4.6ZM-1.2,5.8H1.2L0,9.4Z"
    ),
    "mortar": circle(0, 4.4, 3, "none", "INK", 1.8) + _l("M0,1.4V-8M-3.6,-4.4L0,-8.2L3.6,-4.4"),
    "mob": group(_HEAD, y=-2.6, scale=0.8)
    + group(_HEAD, x=-6.6, y=2.6, scale=0.8)
    + group(_HEAD, x=6.6, y=2.6, scale=0.8),
    "bomb": _BOMB,
    "burst": path(ring(star_points(8.6, 9, 0.52)), "INK"),
    "mine": _f("M-9,4.4C-9,-2 -5,-3.4 0,-3.4C5,-3.4 9,-2 9,4.4Z") + _l("M0,-3.4V-7M-3,-7H3", 1.7),
    "booby_trap": _l("M-9,5H9M-6,5V0M6,5V0M-6,0H2", 1.8) + circle(5, -2.4, 3.4, "INK"),
    "car": _f("M-9.4,4V-0.6L-6.4,-1.2L-3.6,-5H4.4L7,-1.2L9.4,-0.6V4Z")
    + circle(-5, 4.4, 2.4, "INK", "PAPER", 1)
    + circle(5, 4.4, 2.4, "INK", "PAPER", 1),
    "strongpoint": _f("M-9,7V-6H-5.4V-2.6H-1.8V-6H1.8V-2.6H5.4V-6H9V7Z"),
    "mosque": _f("M0,-9C1,-6 8,-4.6 8,2V8.4H2.8V4.6A2.8,2.8 0 0 0 -2.8,4.6V8.4H-8V2C-8,-4.6 -1,-6 0,-9Z"),
    "house": _f("M-9,-0.4L0,-8.4L9,-0.4H6.8V8.4H2.4V2.6H-2.4V8.4H-6.8V-0.4Z"),
    "tower": _f("M-5.6,-8.6H-3.2V-6.4H-1.2V-8.6H1.2V-6.4H3.2V-8.6H5.6V-2.4H4.4V8.4H-4.4V-2.4H-5.6Z"),
    "wall": _l("M-9,-5.6H9M-9,0H9M-9,5.6H9M-4,-5.6V0M4,-5.6V0M0,0V5.6M-9,-5.6V5.6M9,-5.6V5.6", 1.7),
    "bunker": _f("M-9.4,6.4V1C-9.4,-6.6 9.4,-6.6 9.4,1V6.4Z") + _f("M-5,0H5V2.4H-5Z", "PAPER"),
    "rubble": _f("M-9,7L-6,1L-2.6,4.6L0,-4.4L4.4,2L6.4,-0.6L9,7Z"),
    "courtyard": _l("M-8.4,7.4V-7.4H8.4V7.4H2.8M-8.4,7.4H-2.8", 2.2) + circle(0, -0.6, 2.2, "INK"),
    "arch": _f("M-8.6,8V-7.6H8.6V8H4V1.4A4,4 0 0 0 -4,1.4V8Z"),
    "cache": _l("M-8,-5.4H8V5.8H-8ZM-8,-5.4L8,5.8M8,-5.4L-8,5.8", 1.8),
    "tactics": circle(0, 0, 8, "none", "INK", 1.8) + _star(5.6),
    "runner": circle(1.6, -6.6, 2.2, "INK")
    + _l("M0.6,-3.4L-1.6,2L3,4.6L2,8.6M-1.6,2L-5.6,6.4M0.4,-2.6L4.8,0.4M0.4,-2.6L-4.6,-0.6", 2),
    "eye": _l("M-9.4,0C-5,-6.6 5,-6.6 9.4,0C5,6.6 -5,6.6 -9.4,0Z", 1.8) + circle(0, 0, 3, "INK"),
    "radio": _l(
        "M-4.6,8.4H4.6M0,8.4V-2M-3.4,-1.4A4.2,4.2 0 0 1 -3.4,-7M3.4,-1.4A4.2,4.2 0 0 0 3.4,-7"
        "M-6.2,1A7.6,7.6 0 0 1 -6.2,-9.2M6.2,1A7.6,7.6 0 0 0 6.2,-9.2",
        1.6,
    )
    + circle(0, -4.2, 1.9, "INK"),
    "shield": _f("M0,-9L8,-6.4V0C8,4.6 4,7.6 0,9.2C-4,7.6 -8,4.6 -8,0V-6.4Z"),
    "hostage_house": _l(_HOUSE, 1.8) + _l("M-4,8V2.4M0,8V2.4M4,8V2.4M-5.6,2.4H5.6", 1.7),
    "abandoned": path(_HOUSE, "none", "INK", 1.8, "2.6 2", join="round"),
    "target": circle(0, 0, 8, "none", "INK", 1.7) + circle(0, 0, 4.6, "none", "INK", 1.7) + circle(0, 0, 1.7, "INK"),
    "network": _l("M0,-4L-5,5H5Z", 1.7)
    + circle(0, -4.6, 2.9, "INK")
    + circle(-5.2, 5, 2.9, "INK")
    + circle(5.2, 5, 2.9, "INK"),
    "downed_helicopter": _f("M-9.4,-5.4L0,-1L9.4,-5.4V5.4L0,1L-9.4,5.4Z") + _l("M-9,8L9,-8", 2),
    "unknown": text(0, 6.4, "?", "INK", 18, 700, "middle"),
    "none": "",
}
NODES = {
    "c2": "radio",
    "al_qaeda": "target",
    "arms_cache": "cache",
    "ied_factory": "bomb",
    "ied": "bomb",
    "hostage": "hostage_house",
    "hostage_house": "hostage_house",
    "strongpoint": "strongpoint",
    "abandoned": "abandoned",
    "downed_helicopter": "downed_helicopter",
}


def _paint(shape: str, ink: str, paper: str) -> str:
    return shape.replace('"INK"', f'"{ink}"').replace('"PAPER"', f'"{paper}"')


def symbol(name: str, x: float, y: float, ink: str, paper: str = "#FFFDF8", scale: float = 1) -> str:
    """A unit symbol without its box; at scale 1 it fills 32 by 20."""
    return group(_paint(SYMBOLS[name], ink, paper), x=x, y=y, scale=scale)


def glyph(name: str, x: float, y: float, ink: str, paper: str = "#FFFDF8", scale: float = 1) -> str:
    """A glyph; at scale 1 it fills about 18 by 18."""
    return group(_paint(GLYPH_SHAPES[name], ink, paper), x=x, y=y, scale=scale)
