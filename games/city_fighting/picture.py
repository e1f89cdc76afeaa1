"""The board as a picture, from the view alone: city, routes, nodes, forces, and a battle shown as a battle."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from games.city_fighting import tables as t
from games.city_fighting.insets import Shot, battle_strip, side_panels
from games.city_fighting.pieces import counter, foe, stacks
from games.drawing import Layer
from games.drawing.counters import Diamond, draw_pile, draw_stack
from games.drawing.map import Box, Frame, area, buildings, crop, place_name, river, route
from games.drawing.marks import area_badge, arrow, ballot, node, wave_mark
from games.drawing.palette import BLACK, Theme, mix, theme
from games.drawing.panels import header
from games.drawing.svg import Drawing, Point, circle, group, path, polygon, rect, text
from games.kernel.ruleset import Scene
from games.kernel.table import News

# The reconstructed map is taller than a screen; everything is drawn in these px, then framed.
WIDE, HIGH = 0.63, 0.588
CELL = (190 * WIDE, 165 * HIGH)
MAP: Box = (8.0, 20.0, 886.0, 1160.0)
COUNTER, NODE, BADGE = 38.0, 25.0, 31.0
_POINTS = {space["id"]: (space["x"] * WIDE, space["y"] * HIGH) for space in t.BOARD["spaces"]}
_BASE_BOXES: dict[str, Box] = {
    "N": (8, 20, 886, 52),
    "S": (8, 1128, 886, 1160),
    "E": (854, 270, 886, 740),
    "W": (8, 620, 40, 1060),
}
_BALLOTS = {"N": (60.0, 36.0), "S": (60.0, 1144.0), "E": (866.0, 292.0), "W": (20.0, 642.0)}
MOST_WASHED = 12  # more targets than this are outlined only
_TEM = {"open": 0, "urban": 1, "objective": 2, "mosque": 2}
_PLACE_VERBS = frozenset(
    {"go", "infil", "water", "air", "base", "j3", "isr", "withdraw", "netops", "interdict", "force"}
)


def middle(word: str) -> Point:
    """The middle of a place in map px."""
    if word in _BASE_BOXES:
        left, top, right, bottom = _BASE_BOXES[word]
        return ((left + right) / 2, (top + bottom) / 2)
    return _POINTS[word]


def draw(scene: Scene) -> str:
    colours = theme(scene.theme)
    if scene.crop:
        return _draw_crop(scene, colours)
    d = Drawing(1200, 1256, colours, _title(scene.view))
    heading = scene.heading or _heading(scene.view)
    d.add(header(colours, 1200, "City Fighting", heading, scene.corner), layer=Layer.LOST + 1)
    frame = Frame(1.0, 12, 48, (20, 68, 898, 1208))
    _draw_map(d, scene, frame)
    shots = read_shots(scene.recent)
    d.add(side_panels(d, scene, 914, 68, 266, 1172, shots), layer=Layer.LOST + 1)
    note = "Counter: firepower, contact, movement. Diamond: firepower and contact."
    d.add(text(24, 1234, note, colours.quiet, 12, 400), layer=Layer.LOST + 1)
    return d.svg()


def _draw_crop(scene: Scene, colours: Theme) -> str:
    """The area of action for phones and mails; a battle is laid out below the map."""
    view = scene.view
    shots = read_shots(scene.recent)
    fighting = view["battle"] is not None or bool(shots)
    d = Drawing(720, 800, colours, _title(view))
    bottom = 560.0 if fighting else 800.0
    into: Box = (0, 0, 720, bottom)
    fight = [_box(word) for word in _action_places(scene)]
    targets = [_box(word) for word in _lit_places(scene)]
    frame = crop(fight, targets, into, MAP, 2.3, 3.0, 6)
    _draw_map(d, scene, frame)
    if fighting:
        d.add(rect(0, bottom, 720, 800 - bottom, fill=colours.paper), layer=Layer.LOST + 1)
        d.add(battle_strip(d, scene, 0, bottom, 720, 800 - bottom, shots), layer=Layer.LOST + 1)
    return d.svg()


def _box(word: str) -> Box:
    if word in _BASE_BOXES:
        x, y = middle(word)
        return (x - 40, y - 16, x + 40, y + 16)
    x, y = _POINTS[word]
    return (x - CELL[0] / 2, y - CELL[1] / 2, x + CELL[0] / 2, y + CELL[1] / 2)


def _title(view: Mapping[str, Any]) -> str:
    where = f", battle in {view['battle']['space']}" if view["battle"] else ""
    return f"City Fighting, {t.SCENARIO_NAMES[view['scenario']]}, operation {view['operation']}{where}"


def _heading(view: Mapping[str, Any]) -> str:
    words = f"{t.SCENARIO_NAMES[view['scenario']]}, operation {view['operation']}"
    if view["battle"]:
        fight = view["battle"]
        words += f", battle for {t.PLACE_NAMES[t.PLACE[fight['space']]]}, round {fight['round']}"
    return words


# --- what to show --------------------------------------------------------------------------------------


def read_shots(recent: Sequence[News]) -> list[Shot]:
    """The dice of the last round of fire: (id, firepower, die, ours)."""
    shots: list[Shot] = []
    for news in recent:
        if news.key in ("edge", "battle"):
            shots = []
        if news.key in ("fire", "opfor-fire"):
            for shot in str(news.facts["shots"]).split():
                word, power, die = shot.rsplit(":", 2)
                shots.append((word, int(power), int(die), news.key == "fire"))
    return shots


def _action_places(scene: Scene) -> list[str]:
    """Where something happens: the battle, the force on the move, the last news."""
    found = []
    for key in ("battle", "move"):
        if scene.view[key]:
            found.append(scene.view[key]["space"])
    if not found:
        for news in reversed(scene.recent):
            found += [str(news.facts[key]) for key in ("place", "origin") if news.facts.get(key) in t.PLACE]
            if found:
                break
    return found or ([] if scene.legal else ["4-7"])


def _lit_places(scene: Scene) -> list[str]:
    found = {}
    for action in scene.legal:
        if action[0] in _PLACE_VERBS and str(action[1]) in t.PLACE:
            found[str(action[1])] = True
        elif action[0] == "j4" and str(action[2]) in t.PLACE:
            found[str(action[2])] = True
    return list(found)


# --- the map -------------------------------------------------------------------------------------------


def _draw_map(d: Drawing, scene: Scene, frame: Frame) -> None:
    view, colours, k = scene.view, d.theme, frame.scale
    left, top, right, bottom = frame.clip
    found = stacks(view)
    d.add(rect(left, top, right - left, bottom - top, 10, colours.desert), layer=Layer.DESERT)
    outline = [frame.at((x * WIDE, y * HIGH)) for x, y in t.BOARD["river_outline"]]
    ends = [
        (outline[0][0] - 16 * k, outline[0][1] - 60 * k),
        *outline,
        (outline[-1][0] - 60 * k, outline[-1][1] + 8 * k),
    ]
    d.add(river(ends, 25 * k, colours), layer=Layer.STREETS)
    for word in t.SPACE_IDS:
        if frame.shows(_box(word)):
            _draw_block(d, view, frame, word, found)
    for link in t.BOARD["links"]:
        _draw_link(d, view, frame, link)
    lit = _lit_places(scene)
    for word in t.SPACE_IDS:
        if frame.shows(_box(word)):
            _draw_space(d, scene, frame, word, found, lit)
    for word in t.BASE_IDS:
        _draw_base(d, scene, frame, word, found, word in lit)
    _draw_arrows(d, scene, frame)
    _draw_ballots(d, scene, frame)
    d.add(_mat(d, frame.clip), layer=Layer.LOST)


def _mat(d: Drawing, window: Box) -> str:
    """Paper over everything outside the map; the window runs against the edge, so it stays open."""
    x0, y0, x1, y1 = window
    r = 10
    edge = f"M0,0H{d.width:g}V{d.height:g}H0Z"
    hole = (
        f"M{x0 + r:g},{y0:g}Q{x0:g},{y0:g} {x0:g},{y0 + r:g}V{y1 - r:g}Q{x0:g},{y1:g} {x0 + r:g},{y1:g}"
        f"H{x1 - r:g}Q{x1:g},{y1:g} {x1:g},{y1 - r:g}V{y0 + r:g}Q{x1:g},{y0:g} {x1 - r:g},{y0:g}Z"
    )
    return path(edge + hole, d.theme.paper)


def _corners(frame: Frame, word: str) -> tuple[Point, ...]:
    x0, y0, x1, y1 = _box(word)
    return frame.all(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


def _draw_block(d: Drawing, view: Mapping[str, Any], frame: Frame, word: str, found: Mapping[str, list[str]]) -> None:
    """A block of city around each space carries control: dots ours, hatch a node, stripes a battle."""
    terrain = t.TERRAINS[t.TERRAIN[t.PLACE[word]]]
    held = any(t.GROUND[t.UNIT[unit]] for unit in found.get(word, ()))
    fought = bool(view["battle"]) and view["battle"]["space"] == word and bool(view["opfor"])
    hostile = word in view["nodes"] or view["helicopter"] == word
    points, k = _corners(frame, word), frame.scale
    if fought or held or hostile:
        control = "coalition" if held else "insurgent"
        area(d, points, word, _TEM[terrain], control, fought, k, 2.4 * k)
    elif terrain != "open":
        tint, built = d.theme.ground("insurgent", _TEM[terrain])
        d.add(polygon(points, tint, opacity=0.75), layer=Layer.TERRAIN)
        footprints = buildings(points, word, _TEM[terrain], k)
        if footprints:
            d.add(path(footprints, built, opacity=0.75), layer=Layer.BUILDINGS)


def _draw_link(d: Drawing, view: Mapping[str, Any], frame: Frame, link: Mapping[str, Any]) -> None:
    if link["kind"] == "base":
        return
    start, end = frame.at(_POINTS[link["a"]]), frame.at(_POINTS[link["b"]])
    kind = {"msr-diagonal": "msr", "route": "road", "phase": "road"}.get(link["kind"], link["kind"])
    blown = kind == "bridge" and link["bridge"] in view["blown"]
    if blown:
        kind = "river"
    width = 4.2 if kind == "road" else 5.5
    d.add(route(start, end, d.theme, kind, width * frame.scale), layer=Layer.ROADS)
    if blown:
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        r = 7 * frame.scale
        cross = f"M{x - r:.1f},{y - r:.1f}L{x + r:.1f},{y + r:.1f}M{x + r:.1f},{y - r:.1f}L{x - r:.1f},{y + r:.1f}"
        d.add(path(cross, "none", d.theme.case, 6 * frame.scale, cap="round"), layer=Layer.BADGES)
        d.add(path(cross, "none", d.theme.ink, 3 * frame.scale, cap="round"), layer=Layer.BADGES)


def _draw_space(
    d: Drawing, scene: Scene, frame: Frame, word: str, found: Mapping[str, list[str]], lit: Sequence[str]
) -> None:
    view, k = scene.view, frame.scale
    x, y = frame.at(_POINTS[word])
    terrain = t.TERRAINS[t.TERRAIN[t.PLACE[word]]]
    if word in lit:
        if len(lit) <= MOST_WASHED:
            wash = circle(x, y, 23 * k, d.theme.choose_wash)
            d.add(group(wash, opacity=d.theme.choose_opacity), layer=Layer.TARGETS)
        d.add(circle(x, y, 23 * k, "none", BLACK, 7 * k), layer=Layer.TARGETS)
        d.add(circle(x, y, 23 * k, "none", d.theme.choose, 4.4 * k), layer=Layer.TARGETS)
    if terrain == "urban":
        d.add(circle(x, y, BADGE * k / 2, "#CFC8BC", BLACK, 1.5 * k), layer=Layer.BADGES)
        d.add(text(x, y + 4.8 * k, word, BLACK, 13 * k, 700, "middle"), layer=Layer.BADGES)
    else:
        kind = {"objective": "square", "mosque": "mosque"}.get(terrain, "plain")
        d.add(area_badge(kind, word, x, y, BADGE * k), layer=Layer.BADGES)
    name = t.PLACE_NAMES[t.PLACE[word]].replace(" Mosque", "")
    room, shift = (60, -10) if found.get(word) else (84, 0)
    label = place_name(d.theme, name, x + shift * k, y + 26 * k, room * k, 10 * k, d.theme.street)
    d.add(label, layer=Layer.BADGES)
    if word in t.BOARD["water_spaces"]:
        d.add(wave_mark(x - 19 * k, y + 14 * k, 13 * k), layer=Layer.BADGES)
    marker = view["nodes"].get(word)
    if marker is not None:
        kind = t.NODE_TYPE[t.NODE[marker["id"]]] if marker["up"] else "face_down"
        d.add(node(kind, x - 19 * k, y - 17 * k, NODE * k), layer=Layer.COUNTERS)
    if view["helicopter"] == word:
        shift = -44 if marker is not None else -19
        d.add(node("downed_helicopter", x + shift * k, y - 17 * k, NODE * k), layer=Layer.COUNTERS)
    ours = found.get(word, [])
    moving = set((view["battle"] or view["move"] or {"units": ()})["units"])
    rings = ["selected" if unit in moving else "" for unit in ours]
    if ours:
        pieces = [counter(view, unit, ring) for unit, ring in zip(ours, rings, strict=True)]
        d.add(draw_stack(pieces, x + 37 * k, y - 3 * k, COUNTER * k), layer=Layer.COUNTERS)
    foes = _foes(scene, word)
    if foes:
        d.add(draw_pile(foes, x - 41 * k, y + 3 * k, 29 * k, 1 if len(foes) < 3 else 2), layer=Layer.COUNTERS)


def _foes(scene: Scene, word: str) -> list[Diamond]:
    """OPFOR in this space, and those that have just been lost there."""
    here = scene.view["battle"] and scene.view["battle"]["space"] == word
    foes = [foe(unit) for unit in scene.view["opfor"]] if here else []
    place = ""
    for news in scene.recent:
        if news.key in ("fire", "opfor-fire", "battle"):
            place = str(news.facts["place"])
        if news.key == "killed" and place == word:
            foes.append(foe(str(news.facts["counter"]), lost=True))
    return foes


def _draw_base(d: Drawing, scene: Scene, frame: Frame, word: str, found: Mapping[str, list[str]], lit: bool) -> None:
    colours, k = d.theme, frame.scale
    (x0, y0), (x1, y1) = frame.at(_BASE_BOXES[word][:2]), frame.at(_BASE_BOXES[word][2:])
    d.add(rect(x0, y0, x1 - x0, y1 - y0, 7, colours.green, mix(colours.green, BLACK, 0.5), 1.2), layer=Layer.COUNTERS)
    if lit:
        d.add(rect(x0 + 3, y0 + 3, x1 - x0 - 6, y1 - y0 - 6, 6, "none", BLACK, 6.4), layer=Layer.COUNTERS)
        d.add(rect(x0 + 3, y0 + 3, x1 - x0 - 6, y1 - y0 - 6, 6, "none", colours.choose, 4), layer=Layer.COUNTERS)
    units = found.get(word, [])
    count = f"{len(units)} unit{'' if len(units) == 1 else 's'}" if units else ""
    name, x, y = t.PLACE_NAMES[t.PLACE[word]], (x0 + x1) / 2, (y0 + y1) / 2
    words = f"{name} ({word})" + (f": {count}" if count else "")
    turn = 0.0 if word in "NS" else -90.0
    label = text(0, 4.6 * k, words, colours.ink, 13 * k, 600, "middle")
    d.add(group(label, x=x, y=y, turn=turn), layer=Layer.COUNTERS)
    if units and word in "NS":
        for at, unit in enumerate(units[:14]):
            side = -1 if at % 2 else 1
            left = x + side * (118 + 34 * (at // 2)) * k
            d.add(draw_stack([counter(scene.view, unit)], left, y, 27 * k, False), layer=Layer.COUNTERS)
    elif units:
        for at, unit in enumerate(units[:10]):
            side = -1 if at % 2 else 1
            down = y + side * (100 + 30 * (at // 2)) * k
            d.add(draw_stack([counter(scene.view, unit)], x, down, 27 * k, False), layer=Layer.COUNTERS)


def _draw_arrows(d: Drawing, scene: Scene, frame: Frame) -> None:
    moves = [news for news in scene.recent if news.key in ("moved", "flown", "sailed", "withdrew")][-4:]
    for age, news in enumerate(reversed(moves)):
        start, end = frame.at(_start(news)), frame.at(middle(str(news.facts["place"])))
        k = frame.scale
        piece = arrow(start, end, d.theme, 5.2 * k, 0.1, min(age, 1), 18 * k, 20 * k)
        d.add(piece, layer=Layer.ARROWS)


def _start(news: News) -> Point:
    """Where an arrow begins; from a base, at the edge nearest to where it leads."""
    origin, place = str(news.facts["origin"]), str(news.facts["place"])
    if origin in _BASE_BOXES and place not in _BASE_BOXES:
        left, top, right, bottom = _BASE_BOXES[origin]
        x, y = _POINTS[place]
        return (min(max(x, left), right), min(max(y, top), bottom))
    return middle(origin)


def _draw_ballots(d: Drawing, scene: Scene, frame: Frame) -> None:
    numbers: dict[str, list[int]] = defaultdict(list)
    for action, number in scene.numbers.items():
        word = str(action[-1])
        if (action[0] in _PLACE_VERBS or action[0] in ("j4", "buy")) and word in t.PLACE:
            numbers[word].append(number)
    for word, found in numbers.items():
        k = frame.scale
        x, y = frame.at(_BALLOTS.get(word) or middle(word))
        label = "/".join(str(number) for number in found[:3])
        d.add(ballot(label, x + 4 * k, y - (0 if word in _BALLOTS else 24 * k), 18 * k), layer=Layer.BALLOTS)
