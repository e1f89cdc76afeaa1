"""Colours: two themes, terrain tints, and counters, which look the same in both."""

from typing import NamedTuple

Tint = tuple[str, str]  # ground, buildings


class Theme(NamedTuple):
    """Every colour a board may use. Yellow means "you may choose", vermilion "this just happened"."""

    name: str
    paper: str
    panel: str
    ink: str
    quiet: str
    line: str
    desert: str
    street: str
    water: str
    water_edge: str
    road: str
    road_case: str
    way_case: str  # the edge of a plain way between two spaces
    msr: str
    green: str  # open ground, bases
    green_dark: str
    coalition: str
    on_coalition: str
    hatch: str
    hatch_opacity: float
    dots_opacity: float
    choose: str
    choose_wash: str
    choose_opacity: float
    selected: str
    last: str
    on_last: str
    case: str  # the pale edge around arrows and the front line
    rail: str
    older: str  # the enemy's previous move
    mosque: str
    objective: str
    insurgent: tuple[Tint, Tint, Tint, Tint, Tint]
    held: tuple[Tint, Tint, Tint, Tint, Tint]  # Coalition ground

    def ground(self, control: str, tem: int) -> Tint:
        """Tint of ground and buildings for `coalition` or any other control, TEM 0 to 4."""
        ramp = self.held if control == "coalition" else self.insurgent
        return ramp[max(0, min(4, tem))]


LIGHT = Theme(
    name="light",
    paper="#F6F1E6",
    panel="#FFFDF8",
    ink="#1F2326",
    quiet="#5A5F61",
    line="#CFC4AE",
    desert="#EFE6D2",
    street="#FBF6EA",
    water="#A7CBD8",
    water_edge="#6F9FB3",
    road="#FFF3C9",
    road_case="#8F7A55",
    way_case="#8F7A55",
    msr="#F5C542",
    green="#C9D3A6",
    green_dark="#8FA86C",
    coalition="#2B6CA3",
    on_coalition="#FFFFFF",
    hatch="#1B1B1E",
    hatch_opacity=0.2,
    dots_opacity=0.55,
    choose="#FFC20A",
    choose_wash="#FFE88A",
    choose_opacity=0.42,
    selected="#FFE45C",
    last="#C8401A",
    on_last="#FFFFFF",
    case="#FFFDF8",
    rail="#5A5F61",
    older="#7A7A78",
    mosque="#0B7A5B",
    objective="#F2B705",
    insurgent=(
        ("#F5EEDD", "#E9DFC8"),
        ("#ECDFC3", "#DCCBA8"),
        ("#E0CBA5", "#CCB286"),
        ("#D0B285", "#B99766"),
        ("#BE986C", "#A47D50"),
    ),
    held=(
        ("#EEF3F5", "#DCE6EB"),
        ("#DDE8EE", "#C6D7E1"),
        ("#C6D8E3", "#AAC3D3"),
        ("#ABC4D5", "#8CABC1"),
        ("#8FAEC5", "#7093AE"),
    ),
)

DARK = LIGHT._replace(
    name="dark",
    paper="#14181B",
    panel="#1D2327",
    ink="#EFE9DB",
    quiet="#A9ADA9",
    line="#3A4248",
    desert="#232422",
    street="#2A2A27",
    water="#1F4353",
    water_edge="#3D7186",
    road="#7C6B3D",
    road_case="#1A1A18",
    way_case="#6E726D",
    msr="#A8862A",
    green="#353D2C",
    green_dark="#56643F",
    coalition="#5BB0E8",
    on_coalition="#1F2326",
    hatch="#0B0B0C",
    hatch_opacity=0.55,
    dots_opacity=0.45,
    choose_wash="#FFC20A",
    choose_opacity=0.16,
    last="#FF7A45",
    on_last="#1F2326",
    rail="#A9ADA9",
    older="#9A9C99",
    insurgent=(
        ("#3A3934", "#444239"),
        ("#433F36", "#51493B"),
        ("#4D4537", "#5F523D"),
        ("#584A36", "#6D593A"),
        ("#655133", "#7D6238"),
    ),
    held=(
        ("#2B3942", "#35454F"),
        ("#2C4251", "#365062"),
        ("#2C4A5F", "#375B74"),
        ("#2B536E", "#376787"),
        ("#2A5C7D", "#37739A"),
    ),
)

THEMES = {"light": LIGHT, "dark": DARK}


class Nation(NamedTuple):
    """A counter's colours; the header style says the nation again without colour."""

    fill: str
    ink: str
    header: str  # plain, solid, double


NATIONS = {
    "usmc": Nation("#DCC185", "#4A3A15", "plain"),
    "army": Nation("#7F9A5C", "#1E2B10", "solid"),
    "iraqi": Nation("#93BDE4", "#12395E", "double"),
    "uk": Nation("#DDAFA6", "#5B1F18", "solid"),
    "usn": Nation("#A9B9C9", "#22384E", "solid"),
    "joint": Nation("#DADAD3", "#33363A", "plain"),
}

NATIONS["usa"], NATIONS["ig"] = NATIONS["army"], NATIONS["iraqi"]

# Things that lie on the map keep their colours in both themes.
WHITE = "#FFFDF8"
BLACK = "#1F2326"
FOE = "#26262A"
FOE_GREY = "#6A6A6E"
FOE_SPENT = "#A9A9A8"
FOE_INK = "#F7F2E6"
AMBER = "#E8A20C"
SALMON = "#F08A6A"
VIOLET = "#7A3E9D"
GOLD = "#F2B705"
EARTH = "#6B3F12"
REDUCED = "#C8401A"


def mix(first: str, second: str, share: float) -> str:
    """`share` of the way from the first colour to the second."""
    one = [int(first[i : i + 2], 16) for i in (1, 3, 5)]
    two = [int(second[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in zip(one, two, strict=True))


def theme(name: str) -> Theme:
    """The theme of that name; light when there is none."""
    return THEMES.get(name, LIGHT)
