"""How a card looks: its colours, its glyph, its face and its back."""

from collections.abc import Mapping
from typing import Any

from games.drawing import LIGHT, Drawing, marks, svg, symbols
from games.drawing.palette import BLACK, WHITE
from games.drawing.type import fitted

Card = Mapping[str, Any]
SHAPE = 120 / 86  # height of a card for its width

TYPE_COLOURS = {
    "I": "#26262A",
    "N": "#4B4650",
    "P": "#7A5A30",
    "X": "#8C2A20",
    "O": "#9A7200",
    "T": "#2B6CA3",
    "G": "#67501F",
    "A": "#475C2B",
    "S": "#48525E",
    "R": "#0B7A5B",
    "D": "#5B4A86",
}
AMERICAN_TYPES = "TGASRD"
_PAPER = {True: "#FBF3DC", False: "#EFECE6"}

_GLYPHS = {  # (True: a boxed unit symbol, its name)
    "jihadists": (False, "jihadist"),
    "hard_core_insurgents": (False, "fedayeen"),
    "rocket_attacks": (False, "rocket"),
    "mortar_attacks": (False, "mortar"),
    "fundamentalists": (False, "cadre"),
    "part_time_insurgents": (False, "mob"),
    "guerrilla_warfare": (False, "guerillas"),
    "shoot_scoot": (False, "runner"),
    "ambush": (False, "target"),
    "attack_isolated_units": (False, "sniper"),
    "urban_combat": (False, "wall"),
    "close_quarters_firefight": (False, "burst"),
    "vehicle_accident": (False, "car"),
    "pillbox": (False, "bunker"),
    "mosque": (False, "mosque"),
    "concrete_house": (False, "house"),
    "tight_alley": (False, "arch"),
    "roof_top": (False, "tower"),
    "courtyard": (False, "courtyard"),
    "m1_abrams_tank": (True, "abrams"),
    "bradley_afv": (True, "mech"),
    "m1127_stryker_apc_s": (True, "stryker"),
    "up_armored_humvee": (True, "caat"),
    "humvee": (True, "humvee"),
    "infrared_cameras": (False, "eye"),
    "unmanned_aerial_vehicles": (True, "uav"),
    "dragon_eyes": (True, "uav"),
    "pioneers": (True, "soa"),
    "predators": (True, "uav"),
    "surveillance": (False, "eye"),
    "intelligence_profile": (False, "hvt"),
    "blue_force_tracker": (False, "network"),
    "marine_regimental_combat_team": (True, "infantry"),
    "army_mechanized_infantry": (True, "mech"),
    "field_artillery": (True, "artillery"),
    "infantry": (True, "infantry"),
    "iraqi_commandos": (True, "sf"),
    "iraqi_infantry": (True, "infantry"),
    "iraqi_national_guard": (True, "motorised"),
    "suicide_bomber": (False, "martyrs"),
    "roadside_bomb": (False, "mine"),
    "radio_controlled_bomb": (False, "radio"),
    "car_bomb": (False, "car"),
    "improvised_explosive_device": (False, "bomb"),
    "low_tech_bomb": (False, "booby_trap"),
    "warlock_jammer": (False, "radio"),
    "sharp_eyes": (False, "eye"),
    "spotters": (False, "sniper"),
    "disposal_team": (True, "disarm"),
    "robot": (True, "bulldozer"),
    "f_a_18_fighters": (True, "air_strike"),
    "cobra_helicopter_gunships": (True, "gunship"),
    "ac_130_slayer": (True, "soa"),
    "fire_support_team": (True, "crosshair"),
    "artillery": (True, "artillery"),
    "mortars": (True, "mortar"),
    "forward_observer": (False, "eye"),
    "forward_air_controller": (False, "radio"),
    "sniper_team": (True, "sniper"),
    "high_profile_jihadist": (False, "hvt"),
    "secured_district": (False, "shield"),
    "insurgent_leader": (False, "leader"),
    "secured_road": (False, "arch"),
    "secured_block": (False, "house"),
}
_BY_TYPE = {"T": (False, "tactics"), "N": (False, "fedayeen"), "I": (False, "fedayeen"), "X": (False, "bomb")}


def glyph_of(card: Card) -> tuple[bool, str]:
    """Whether the card carries a boxed unit symbol, and the name of its drawing."""
    key = str(card["id"]).split(".")[1]
    return _GLYPHS.get(key) or _BY_TYPE.get(str(card["type"]), (False, "shield"))


def draw_card(d: Drawing, card: Card | None, x: float, y: float, w: float, ring: str = "", seen: float = 1) -> str:
    """A card `w` px wide with its upper left corner at (x, y); None is a face-down card.

    `ring` is `choose` for a card that may be chosen and `last` for one that has just come or changed. `seen` is the
    share of its width that the next card leaves free: glyph and name keep to it.
    """
    unit = w / 86
    out = _edge(d, ring) + svg.rect(1.2, 1.8, 86, 120, 6, "#000000", fill_opacity=0.28)
    out += _back(d, 86 * seen) if card is None or not card.get("up", True) else _face(card, 86 * seen)
    if ring == "last":
        out += marks.burst(86 * seen - 7, 113, d.theme, 7)
    return svg.group(out, x=x, y=y, scale=unit)


def _edge(d: Drawing, ring: str) -> str:
    if ring == "choose":
        return svg.rect(-5.2, -5.2, 96.4, 130.4, 10, LIGHT.choose, BLACK, 1.3)
    if ring == "last":
        return svg.rect(-4, -4, 94, 128, 9, d.theme.last, d.theme.case, 1.4)
    return ""


def _back(d: Drawing, seen: float) -> str:
    middle, edge = seen / 2, "#23211E" if d.theme.name == "light" else "#6A6356"
    out = svg.rect(0, 0, 86, 120, 6, "#35322D", edge, 1.4) + svg.rect(6, 6, 74, 108, 4, d.pattern("back"))
    out += svg.rect(6, 6, 74, 108, 4, "none", "#8C8371", 1)
    out += svg.circle(middle, 60, 17, "#35322D", "#8C8371", 1.2)
    return out + svg.text(middle, 68.4, "?", "#F7F2E6", 24, 700, "middle")


def _face(card: Card, seen: float) -> str:
    kind, middle = str(card["type"]), seen / 2
    colour = TYPE_COLOURS[kind]
    out = svg.rect(0, 0, 86, 120, 6, _PAPER[kind in AMERICAN_TYPES], BLACK, 1.4)
    out += svg.path("M0.7,22V6a5.3,5.3 0 0 1 5.3,-5.3H80a5.3,5.3 0 0 1 5.3,5.3V22Z", colour)
    out += svg.text(seen - 6, 16.6, kind, "#FFFFFF", 14, 700, "end")
    force = card.get("force")
    left = 8.0
    if force is not None:
        out += svg.circle(14.5, 15.5, 12, "#FFFFFF", colour, 2.2)
        out += svg.text(14.5, 21.6, str(force), colour, 17, 700, "middle")
        left = 29.5
    (word, *_), size = fitted(
        str(card["kind"]).removeprefix("american ").removeprefix("insurgent "), 68 - left, 10, 500, 1, 7.5
    )
    if seen < 80:
        word = ""
    if word:
        out += svg.text(left, 15.2, word, "#FFFFFF", size, 500)
    boxed, name = glyph_of(card)
    if boxed:
        out += svg.rect(middle - 23, 43, 46, 30, 1.8, WHITE, colour, 1.7)
        out += symbols.symbol(name, middle, 58, colour, WHITE, 1.32)
    else:
        out += symbols.glyph(name, middle, 58, colour, _PAPER[kind in AMERICAN_TYPES], 1.7)
    if seen < 80:
        rows, size = fitted(str(card["name"]), seen - 4, 11.2, 600, 3, 7.6)
    else:
        rows, size = fitted(str(card["name"]), 80, 11.2, 600, 2, 9.2)
    return out + svg.lines(middle, 97 - (len(rows) - 1) * 3, rows, BLACK, size, 1.1, 600, "middle")


def draw_chip(card: Card, x: float, y: float, w: float, h: float, ring: str = "", free: float = 0) -> str:
    """A placed card in one line, `G5 Marine RCT`, for narrow pictures; `free` px stay clear at its right."""
    kind = str(card["type"])
    force = card.get("force")
    code = kind if force is None else f"{kind}{force}"
    head = h * 0.8
    out = svg.rect(x - 4, y - 4, w + 8, h + 8, 12, LIGHT.choose, BLACK, 1.6) if ring == "choose" else ""
    out += svg.rect(x, y, w, h, 9, _PAPER[kind in AMERICAN_TYPES], BLACK, 2.4)
    corner = f"H{x + 9:.1f}a7.8,7.8 0 0 0 -7.8,7.8V{y + h - 9:.1f}a7.8,7.8 0 0 0 7.8,7.8"
    out += svg.path(f"M{x + head:.1f},{y + 1.2:.1f}{corner}H{x + head:.1f}Z", TYPE_COLOURS[kind])
    out += svg.text(x + head / 2 + 0.5, y + h / 2 + 8.6, code, "#FFFFFF", 24 if len(code) < 3 else 20, 700, "middle")
    rows, size = fitted(str(card["short"]), w - head - 16 - free, 24, 600, 2, 15)
    first = y + h / 2 + size * 0.35 - (len(rows) - 1) * size * 0.56
    return out + svg.lines(x + head + 10, first, rows, BLACK, size, 1.12, 600)


def pitch(count: int, room: float, w: float, gap: float) -> float:
    """The step from card to card: side by side where they fit, overlapping where they do not."""
    if count < 2:
        return w + gap
    return min(w + gap, (room - w) / (count - 1))
