"""The street map as SVG, from the view alone: zones with their Location boxes, and what stands in them."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from games.drawing import Counter, Diamond, Drawing, Layer, Theme, counters, marks, panels, svg, theme
from games.drawing import map as maps
from games.drawing.map import Box, Frame
from games.drawing.palette import BLACK, WHITE, mix
from games.drawing.svg import Point
from games.kernel.ruleset import Scene
from games.kernel.table import News
from games.phantom_fury.news import narrate
from games.phantom_fury.tables import BOARD, FIRST_SECTION, KIND, NAMES, PLACE, ZONE

WIDTH, HEIGHT, MAP_BOTTOM = 1200, 940, 788
PHONE, PHONE_HEIGHT = 720, 840
SIZE: Box = (0.0, 0.0, float(BOARD["size"][0]), float(BOARD["size"][1]))
FLOORS = {"C": "#C98A63", "OG": "#A3B57E", "1": "#FFFDF8", "2": "#7F9FC6", "R": "#8A8478"}
PHASES = ("support", "reinforce", "fire", "move", "assault", "reorg")
PHASE_WORDS = ("Support", "Reinforce", "Fire", "Move", "Assault", "Reorganise")
RED = "#B3201F"


class Pane(NamedTuple):
    """What is being drawn, where, and how large."""

    d: Drawing
    t: Theme
    frame: Frame
    view: dict[str, Any]
    phone: bool


_ZONES: dict[int, dict[str, Any]] = {zone["id"]: zone for zone in BOARD["zones"]}


@lru_cache(maxsize=512)
def grid(zone: int, frame: Frame) -> tuple[float, dict[int, Point]]:
    """Box size and the middle of each Location box of a zone, in px: R over 2 over 1, C or OG at the left."""
    places = [place for place in range(FIRST_SECTION) if ZONE[place] == zone]
    ids = {NAMES[place].split(".", 1)[1]: place for place in places}
    cells: dict[int, tuple[int, int]] = {}
    for name, place in ids.items():
        kind = KIND[place]
        if kind in ("C", "OG"):
            cells[place] = (0, 1 if kind == "C" and "OG" in ids else 0)
        else:
            row = {"1": 0, "2": 1, "R": 2}[kind]
            column = 1 + name.count("'") + 2 * name.count('"')
            stacked = column == 3 and row == 0 and "2" in ids  # the mosque: 1" over OG
            cells[place] = (0, 1) if stacked else (column, row)
    wide = max(column for column, _ in cells.values()) + 1
    high = max(row for _, row in cells.values()) + 1
    outline = frame.all(_ZONES[zone]["polygon"])
    left, top, right, bottom = maps.bounds(outline)
    box = min(
        (right - left - 10 * frame.scale) / (wide * 1.16), (bottom - top) / (max(3, high) * 1.26), 32 * frame.scale
    )
    pitch = box * 1.15
    x, y, _ = maps.place_for(outline, pitch * wide, pitch * high)
    y = min(y + 6 * frame.scale, bottom - pitch * high / 2 - 3 * frame.scale)
    x0, y0 = x - pitch * (wide - 1) / 2, y + pitch * (high - 1) / 2
    return box, {place: (x0 + column * pitch, y0 - row * pitch) for place, (column, row) in cells.items()}


def spot(pane: Pane, name: str) -> Point:
    """The middle of a place on the picture."""
    place = PLACE[name]
    if place >= FIRST_SECTION:
        return pane.frame.at(BOARD["sections"][place - FIRST_SECTION]["centre"])
    return grid(ZONE[place], pane.frame)[1][place]


def box_size(pane: Pane, name: str) -> float:
    place = PLACE[name]
    if place >= FIRST_SECTION:
        return 30 * pane.frame.scale
    return grid(ZONE[place], pane.frame)[0]


def draw(scene: Scene) -> str:
    """The whole board, or with `crop` the zones of action and what lies around them."""
    t = theme(scene.theme)
    if scene.crop:
        d = Drawing(PHONE, PHONE_HEIGHT, t, title="Phantom Fury")
        frame = _crop(scene)
    else:
        d = Drawing(WIDTH, HEIGHT, t, title="Phantom Fury")
        frame = maps.whole(SIZE, (20.0, 58.0, 1180.0, float(MAP_BOTTOM)))
    pane = Pane(d, t, frame, scene.view, scene.crop)
    left, top, right, bottom = frame.clip
    d.add(svg.rect(left, top, right - left, bottom - top, 0 if scene.crop else 12, t.desert), layer=Layer.DESERT)
    _ground(pane)
    for zone in _ZONES:
        if frame.shows(maps.bounds(_ZONES[zone]["polygon"])):
            _zone(pane, zone)
    _units(pane)
    _targets(pane, scene)
    _recent(pane, scene.recent)
    if not scene.crop:
        _papers(pane, scene)
    return d.svg()


def _crop(scene: Scene) -> Frame:
    """Around what may be chosen and what just happened."""
    fight = [_box(name) for name in _news_places(scene.recent)][:6]
    targets = [_box(name) for name in _legal_places(scene)]
    if not fight and not targets:
        targets = [_box(squad["where"]) for squad in scene.view["squads"].values() if squad["where"] in PLACE]
    into: Box = (0.0, 0.0, float(PHONE), float(PHONE_HEIGHT))
    return maps.crop(fight, targets[:12], into, SIZE, 1.75, 2.5, 30)


def _box(name: str) -> Box:
    place = PLACE[name]
    shape = BOARD["sections"][place - FIRST_SECTION] if place >= FIRST_SECTION else _ZONES[ZONE[place]]
    return maps.bounds(shape["polygon"])


def _legal_places(scene: Scene) -> list[str]:
    """The places the legal actions name, without repeats."""
    found: dict[str, None] = {}
    for action in scene.legal:
        if (name := _target_of(action)) in PLACE:
            found[name] = None
    return list(found)


def _target_of(action: Sequence[str | int]) -> str:
    """The place an action points at, or nothing."""
    places = [str(word) for word in action[1:] if str(word) in PLACE]
    return places[-1] if places else ""


def _news_places(recent: Iterable[News]) -> list[str]:
    return [
        str(value) for item in recent for key, value in item.facts.items() if key in ("at", "goal") and value in PLACE
    ]


# --- ground -----------------------------------------------------------------------------------------------------------


def _ground(pane: Pane) -> None:
    """Street sections with their numbers, and the open ground."""
    d, t, frame = pane.d, pane.t, pane.frame
    for section in BOARD["sections"]:
        if not frame.shows(maps.bounds(section["polygon"])):
            continue
        shape = frame.all(section["polygon"])
        d.add(svg.polygon(shape, t.street, t.line, 0.8, "4 4"), layer=Layer.STREETS)
        x, y = frame.at(section["centre"])
        size = 16 if pane.phone else 9
        d.add(svg.text(x, y + size * 0.35, section["id"], t.quiet, size, 400, "middle"), layer=Layer.BADGES)


def _zone(pane: Pane, zone: int) -> None:
    d, t, frame = pane.d, pane.t, pane.frame
    data = _ZONES[zone]
    shape = frame.all(data["polygon"])
    grain = 2 if pane.phone else 1
    if data["kind"] == "open_ground":
        d.add(svg.polygon(shape, t.green, t.green_dark, 2 * grain), layer=Layer.ROADS)
        x, y = frame.at(data["centre"])
        d.add(svg.text(x, y, "open ground", t.ink, 12 * grain, 500, "middle"), layer=Layer.BADGES)
    else:
        _tint(pane, zone, shape, grain)
        _boxes(pane, zone)
    corner = maps.top_left(shape, 12.5 * grain)
    kind = "fortified" if zone == BOARD["mosque"] else "black" if data["start"] else "plain"
    d.add(marks.area_badge(kind, str(zone), *corner, size=22 * grain), layer=Layer.BADGES)
    _zone_signs(pane, zone, corner, grain)


def _tint(pane: Pane, zone: int, shape: maps.Ring, grain: float) -> None:
    d, t = pane.d, pane.t
    facts = pane.view["zones"][str(zone)]
    ours = facts["control"] == "usmc"
    ground, built = _tints(pane, zone)
    d.add(svg.polygon(shape, ground), layer=Layer.ROADS)
    if facts["ruins"]:
        d.add(svg.path(maps.buildings(shape, f"ruin {zone}", 4, grain), built), layer=Layer.ROADS)
    if ours or facts["activated"]:
        pattern = "dots" if ours else "stripes" if _held(pane, zone) else "hatch"
        d.add(svg.polygon(shape, d.pattern(pattern, grain)), layer=Layer.ROADS)
    edge = t.ink if not ours else mix(t.ink, t.coalition, 0.5)
    d.add(svg.polygon(shape, "none", edge, 1.6 * grain), layer=Layer.FRONT)


def _tints(pane: Pane, zone: int) -> tuple[str, str]:
    """Ground and rubble: darker where there is something to fear."""
    facts = pane.view["zones"][str(zone)]
    ours = facts["control"] == "usmc"
    tem = 3 if facts["nature"] == "fortified" else 2 if facts["activated"] and facts["things"] else 1 if ours else 0
    return pane.t.ground("coalition" if ours else "insurgent", tem)


def _held(pane: Pane, zone: int) -> bool:
    return any(squad["where"].startswith(f"{zone}.") for squad in pane.view["squads"].values())


def _zone_signs(pane: Pane, zone: int, corner: Point, grain: float) -> None:
    """Signs below the badge: Fortified, Ruins, Fanaticism, Phantom Fury."""
    facts = pane.view["zones"][str(zone)]
    signs = []
    if facts["nature"] == "fortified":
        signs.append(("F", RED))
    if facts["ruins"]:
        signs.append(("Ru", "#5A5F61"))
    if facts["fanaticism"]:
        signs.append(("!", "#26262A"))
    if facts["phantom_fury"]:
        signs.append(("PF", "#2B6CA3"))
    x, y = corner
    for at, (words, fill) in enumerate(signs):
        top = y + (20 + 16 * at) * grain
        pane.d.add(marks.roundel(words, x, top, 7.5 * grain, fill, "#FFFFFF", WHITE), layer=Layer.BADGES)


def _boxes(pane: Pane, zone: int) -> None:
    """The Locations: joined by their arrows, coloured by floor, doors as arches, roofs with a heavy top."""
    d, t = pane.d, pane.t
    box, spots = grid(zone, pane.frame)
    facts = pane.view["zones"][str(zone)]
    busy = bool(facts["things"]) or _held(pane, zone)
    fade = 1.0 if busy or facts["control"] == "ins" else 0.45
    if not facts["activated"]:
        fade = 0.55
    ground = _tints(pane, zone)[0]
    for one, other in _ZONES[zone]["arrows"]:
        a, b = spots[PLACE[f"{zone}.{one}"]], spots[PLACE[f"{zone}.{other}"]]
        d.add(svg.line((a, b), mix(ground, t.ink, fade), max(1.0, box * 0.06)), layer=Layer.CONTESTED)
    for place, (x, y) in spots.items():
        if facts["ruins"] and KIND[place] in ("2", "R"):
            continue
        d.add(_location(place, x, y, box, ground, fade), layer=Layer.CONTESTED)


def _location(place: int, x: float, y: float, box: float, ground: str, fade: float) -> str:
    kind = KIND[place]
    name = NAMES[place].split(".", 1)[1]
    half = box / 2
    fill, ink = mix(ground, FLOORS[kind], fade), mix(ground, BLACK, fade)
    out = svg.rect(x - half, y - half, box, box, box * 0.16, fill, ink, max(0.8, box * 0.045))
    if kind == "R":
        out += svg.line(((x - half, y - half), (x + half, y - half)), ink, max(1.6, box * 0.11), cap="butt")
    data = _ZONES[ZONE[place]]["locations"]
    if next(location["door"] for location in data if location["id"] == name):
        r = box * 0.15
        out += svg.path(
            f"M{x - r:.1f},{y + half:.1f}V{y + half - r:.1f}A{r:.1f},{r:.1f} 0 0 1 "
            f"{x + r:.1f},{y + half - r:.1f}V{y + half:.1f}Z",
            ink,
        )
    size = box * (0.4 if len(name) < 3 else 0.34)
    out += svg.text(x, y + size * 0.34, name, ink, size, 600, "middle")
    return out


# --- what stands there ---------------------------------------------------------------------------------


def _units(pane: Pane) -> None:
    d, view = pane.d, pane.view
    for zone, facts in view["zones"].items():
        for location, thing in facts["things"].items():
            name = f"{zone}.{location}"
            if not _shown(pane, name):
                continue
            size = box_size(pane, name) * 1.28
            d.add(counters.draw_diamond(_diamond(thing), *spot(pane, name), size), layer=Layer.COUNTERS)
    stacks: dict[str, list[str]] = {}
    for name, squad in view["squads"].items():
        if squad["where"] in PLACE and _shown(pane, squad["where"]):
            stacks.setdefault(squad["where"], []).append(name)
        if squad["se"] and squad["se"] != squad["where"]:
            _lone_se(pane, squad["se"])
    for place in view["orphan_se"]:
        _lone_se(pane, place)
    for place, names in stacks.items():
        x, y = spot(pane, place)
        size = box_size(pane, place) * 1.18
        for at, name in enumerate(names):
            shift = at * size * 0.3
            d.add(_squad(pane, name, x + shift, y - shift, size), layer=Layer.COUNTERS)
    for name, tank in view["abrams"].items():
        if tank["where"] in PLACE and _shown(pane, tank["where"]):
            x, y = spot(pane, tank["where"])
            size = 34 * pane.frame.scale
            badges = ("fired",) if tank["status"] == "fired" else ()
            piece = Counter(name, symbol="abrams", left="8", badges=badges)
            d.add(counters.draw_counter(piece, x + size * 0.4, y, size), layer=Layer.COUNTERS)


def _shown(pane: Pane, name: str) -> bool:
    return pane.frame.shows(_box(name))


def _diamond(thing: dict[str, Any]) -> Diamond:
    if thing["k"] == "suspect":
        return Diamond("suspect", "?")
    return Diamond("martyrs" if thing["side"] == "M" else "guerillas", str(thing["cf"]))


def _lone_se(pane: Pane, place: str) -> None:
    if _shown(pane, place):
        x, y = spot(pane, place)
        size = box_size(pane, place)
        pane.d.add(counters.status_badge("se", x + size * 0.3, y - size * 0.3, size / 22), layer=Layer.COUNTERS)


def _badges(squad: dict[str, Any]) -> tuple[str, ...]:
    found = []
    if squad["status"] != "fresh":
        found.append(squad["status"])
    elif squad["moved"]:
        found.append("moved")
    if squad["caat"]:
        found.append("caat")
    if squad["hero"]:
        found.append("hero")
    if squad["se"] == squad["where"]:
        found.append("se")
    return tuple(found)


def _squad(pane: Pane, name: str, x: float, y: float, size: float) -> str:
    """A squad: below 34 px only its number and CF, in two lines one can read."""
    squad = pane.view["squads"][name]
    nation = "iraqi" if name[0] == "I" else "usmc"
    if size >= 34:
        piece = Counter(
            name, nation=nation, left=str(squad["cf"]), right="4", reduced=squad["reduced"], badges=_badges(squad)
        )
        return counters.draw_counter(piece, x, y, size)
    fill, ink = ("#93BDE4", "#12395E") if nation == "iraqi" else ("#DCC185", "#4A3A15")
    half = size / 2
    out = svg.rect(x - half + 1, y - half + 1.5, size, size, size * 0.14, "#000000", fill_opacity=0.28)
    out += svg.rect(x - half, y - half, size, size, size * 0.14, fill, ink, 1.2)
    if squad["reduced"]:
        corner = f"M{x - half:.1f},{y - half:.1f}h{size * 0.36:.1f}l{-size * 0.36:.1f},{size * 0.36:.1f}Z"
        out += svg.path(corner, RED)
    out += svg.text(x, y - size * 0.06, name, ink, size * 0.42, 600, "middle")
    out += svg.text(x, y + size * 0.4, str(squad["cf"]), ink, size * 0.46, 700, "middle")
    for at, kind in enumerate(_badges(squad)[:3]):
        dx, dy = ((half, -half), (-half, -half), (half, half))[at]
        out += counters.status_badge(kind, x + dx * 0.9, y + dy * 0.9, size / 38)
    return out


# --- what may be done, what just happened -----------------------------------------------------------------


def _targets(pane: Pane, scene: Scene) -> None:
    """Yellow edges round the places that may be chosen, and their ballot numbers."""
    d, t = pane.d, pane.t
    numbers: dict[str, list[int]] = {}
    for action in scene.legal:
        name = _target_of(action)
        if name not in PLACE or not _shown(pane, name):
            continue
        first = name not in numbers
        found = numbers.setdefault(name, [])
        if action in scene.numbers:
            found.append(scene.numbers[action])
        if first:
            x, y = spot(pane, name)
            half = box_size(pane, name) * 0.62
            edge = 4.0 if pane.phone else 2.4
            d.add(
                marks.lit_rect(x - half, y - half, 2 * half, 2 * half, half * 0.4, t, wash=False, width=edge),
                layer=Layer.TARGETS,
            )
    for name, found in numbers.items():
        if found:
            x, y = spot(pane, name)
            half = box_size(pane, name) * 0.62
            size = 26 if pane.phone else 14
            words = str(min(found)) if len(found) == 1 else f"{min(found)}+"
            d.add(marks.ballot(words, x + half, y - half, size), layer=Layer.BALLOTS)
    for zone, number in _zone_ballots(scene):
        points = pane.frame.all(_ZONES[zone]["polygon"])
        d.add(marks.lit(list(points), t, wash=False, width=2.4), layer=Layer.TARGETS)
        if number:
            x, y = maps.bounds(points)[2] - 12, maps.bounds(points)[1] + 12
            d.add(marks.ballot(number, x, y, 20 if pane.phone else 15), layer=Layer.BALLOTS)


def _zone_ballots(scene: Scene) -> list[tuple[int, int]]:
    """Zones named by an action alone: placing, committing, bombing, Dragon Eye."""
    found: dict[int, int] = {}
    for action in scene.legal:
        if action[0] in ("place", "commit", "bomb", "iif", "target"):
            for word in action[1:]:
                if isinstance(word, int):
                    found.setdefault(word, scene.numbers.get(action, 0) if action[0] != "target" else 0)
    return sorted(found.items())


def _recent(pane: Pane, recent: Sequence[News]) -> None:
    """At most four arrows, shots and crosses for what the last orders did."""
    d, t = pane.d, pane.t
    size = 14 if pane.phone else 8
    for item in recent[-12:]:
        facts = item.facts
        at, goal = str(facts.get("at", "")), str(facts.get("goal", ""))
        if item.key in ("moved", "fled", "counter-move") and at in PLACE and goal in PLACE:
            d.add(marks.arrow(spot(pane, at), spot(pane, goal), t, width=size * 0.55), layer=Layer.ARROWS)
        elif item.key in ("fire", "assault") and at in PLACE:
            start = _unit_spot(pane, str(facts["unit"]))
            if start is not None:
                d.add(marks.fire(start, spot(pane, at), t, size * 0.36, size), layer=Layer.LOST)
        elif item.key in ("killed", "removed", "dummy") and at in PLACE and _free(pane, at):
            x, y = spot(pane, at)
            d.add(counters.lost_cross(x, y, size, t.last), layer=Layer.LOST)
        elif item.key == "clash" and at in PLACE:
            d.add(marks.burst(*spot(pane, at), t, size), layer=Layer.LOST)


def _free(pane: Pane, name: str) -> bool:
    zone, location = name.split(".", 1)
    return location not in pane.view["zones"][zone]["things"]


def _unit_spot(pane: Pane, name: str) -> Point | None:
    group = pane.view["abrams"] if name[0] == "T" else pane.view["squads"]
    where = group[name]["where"]
    return spot(pane, where) if where in PLACE else None


# --- the papers below the map -------------------------------------------------------------------------


def _papers(pane: Pane, scene: Scene) -> None:
    d, t, view = pane.d, pane.t, pane.view
    heading = scene.heading or (
        f"turn {view['turn']} of {view['last_turn']}, {view['controlled']} of 60 zones taken, {view['vp']} VP"
    )
    d.add(panels.header(t, WIDTH, "Phantom Fury", heading, scene.corner), layer=Layer.PANELS)
    top = MAP_BOTTOM + 12.0
    d.add(panels.panel(t, 20, top, 560, 124, "Turn and phase"), layer=Layer.PANELS)
    turns = [str(turn) for turn in range(1, view["last_turn"] + 1)]
    d.add(panels.track(t, 34, top + 34, 532, turns, view["turn"] - 1), layer=Layer.PANELS)
    now = PHASES.index(view["phase"]) if view["phase"] in PHASES else -1
    d.add(panels.chips(t, 34, top + 78, 532, PHASE_WORDS, now), layer=Layer.PANELS)
    d.add(panels.panel(t, 592, top, 286, 124, "Reserves and support"), layer=Layer.PANELS)
    for at, line in enumerate(_reserve_lines(view)):
        d.add(panels.flow(t, 606, top + 42 + 19 * at, 258, line, 12.5, 500, 1, t.ink)[0], layer=Layer.PANELS)
    d.add(panels.panel(t, 890, top, 290, 124, "Last events"), layer=Layer.PANELS)
    y = top + 42
    for item in list(scene.recent)[-4:][::-1]:
        piece, high = panels.flow(t, 904, y, 262, narrate(item), 11.5, 500, 2, t.ink)
        if y + high > top + 122:
            break
        d.add(piece, layer=Layer.PANELS)
        y += high + 4


def _reserve_lines(view: dict[str, Any]) -> list[str]:
    def names(box: str) -> str:
        return " ".join(name for name, squad in view["squads"].items() if squad["where"] == box) or "none"

    missions = view["missions"]
    tanks = " ".join(f"{name} {tank['where']}" for name, tank in view["abrams"].items() if tank["where"] != "out")
    return [
        f"Company: {names('company')}",
        f"Battalion: {names('battalion')}",
        f"Abrams: {tanks or 'none'}   Iraqi: {names('iif_box')}",
        f"Dragon Eye {missions['uav']}/4, Cobra {missions['cobra']}/2, Hornet {missions['hornet']}/1",
    ]
