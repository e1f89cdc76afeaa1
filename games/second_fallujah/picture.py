"""The board as a picture, drawn from a view alone: the map, and tracks, battle and legend beside it."""

from collections.abc import Sequence
from typing import Any

from games.drawing import Drawing, Layer, Theme, counters, marks, panels, svg, theme
from games.drawing import map as maps
from games.kernel.ruleset import Scene, View
from games.kernel.table import News
from games.second_fallujah.picture_map import (
    COUNTER,
    EXTENT,
    PHONE_COUNTER,
    POLYGON,
    ZONE_SHAPE,
    Map,
    Piece,
    counter,
    diamonds,
    lit_areas,
    news_areas,
    pieces,
)
from games.second_fallujah.tables import (
    AREA_NAME,
    AREAS,
    COALITION,
    LAST_TURN,
)
from games.second_fallujah.words import DAYS, narrate, side_words

WIDTH, HEIGHT = 1200, 1204
MAP: maps.Box = (20, 58, 888, 1184)
SIDE = 904  # left edge of the column of panels
COLUMN = 276
CROP_WIDTH, CROP_HEIGHT = 480, 480

# --- the papers beside it --------------------------------------------------------------------------------


def _tracks(t: Theme, view: View, y: float) -> tuple[str, float]:
    x, w, parts = SIDE + 14, COLUMN - 28, view["score"]
    out = panels.panel(t, SIDE, y, COLUMN, 300, "Day and tracks")
    out += panels.track(t, x, y + 34, w, [str(7 + turn) for turn in range(1, LAST_TURN + 1)], view["turn"] - 1)
    out += svg.text(x, y + 78, f"November 2004 · turn {view['turn']} of {LAST_TURN}", t.quiet, 12, 400)
    out += svg.text(x, y + 100, "Impulse", t.ink, 13, 500)
    colour = t.coalition if view["side"] == COALITION else t.ink
    impulses = [str(number) for number in range(13)]
    now = min(view["impulse"], 12) if view["phase"] == "action" else -1
    out += panels.track(t, x, y + 107, w, impulses, now, 20, 11, colour)
    out += svg.text(x, y + 142, _phase_words(view), t.quiet, 12, 400)
    held = len(view["control"][COALITION])
    bars = (
        ("Insurgent VP", str(parts["total"]), parts["total"] / 120, t.ink),
        ("Political Backlash", str(parts["backlash"]), parts["backlash"] / 40, t.last),
        ("Areas held by the Coalition", f"{held} / {len(AREAS)}", held / len(AREAS), t.coalition),
    )
    for at, (label, figure, share, shade) in enumerate(bars):
        out += panels.bar(t, x, y + 166 + at * 30, w, label, figure, share, shade)
    advantage = view["advantage"]
    state = "ready" if advantage["available"] else "used"
    ours = advantage["owner"] == COALITION
    out += svg.text(x, y + 262, "Advantage", t.ink, 13, 500)
    fill, on = (t.coalition, t.on_coalition) if ours else ("#26262A", "#F7F2E6")
    words = f"{'Coalition' if ours else 'Insurgent'}, {state}"
    out += panels.pill(x + w, y + 258, words, fill, on, 12, anchor="end")
    out += svg.text(
        x,
        y + 286,
        f"Militia pool {view['militia_pool']} · Fedayeen {parts['fedayeen']} · Cadres {parts['cadres'] // 2}",
        t.quiet,
        12,
        400,
    )
    return out, y + 312


def _phase_words(view: View) -> str:
    if view["phase"] != "action":
        return {"regroup": "Regroup Phase", "reset": "Reset Phase", "setup": "set-up", "over": "the battle is over"}[
            view["phase"]
        ]
    low = view["impulse"] - 1
    if low < 2:
        return f"{side_words(view['side'])} to act; no roll ends the day yet"
    chance = sum(1 for a in range(1, 7) for b in range(1, 7) if a + b <= low) / 36
    return f"2–{low} on the first attack roll ends the day ({chance:.0%})".replace("%", " %")


def _battle(t: Theme, recent: Sequence[News], y: float) -> tuple[str, float]:
    rolls = [news for news in recent if news.key in ("combat-roll", "strike-roll")]
    if not rolls:
        return "", y
    roll = rolls[-1].facts
    area = int(roll["area"])
    after = list(recent)[list(recent).index(rolls[-1]) :]
    result = next((news for news in after if news.key in ("combat-result", "strike-result")), None)
    attack = next((n for n in recent if n.key == "attack" and n.facts["area"] == area), None)
    dice = next((news.facts for news in after if news.key == "reroll"), roll)
    strike = rolls[-1].key == "strike-roll"
    ours, foe = (roll["defender"], roll["unit"]) if strike else (attack and attack.facts["leader"], roll["defender"])
    left, right = SIDE + 44, SIDE + COLUMN - 40
    words = "; ".join(
        narrate(news).rstrip(".") for news in after if news.key.startswith(("loss", "overrun", "backlash"))
    )
    a1, a2, d1, d2 = (int(dice[key]) for key in ("a1", "a2", "d1", "d2"))
    totals = (result.facts["ot"], result.facts["dt"]) if result else ("", "")
    fight = panels.Battle(
        f"Battle · {area} {AREA_NAME[area]}",
        counters.draw_counter(counter(Piece(str(ours), "fresh")), left, y + 58, 46) if ours else "",
        counters.draw_diamond(diamonds([Piece(str(foe), str(roll.get("face", "fresh")))])[0], right, y + 58, 42),
        f"defence {roll['dv']}" if strike else f"attack {roll['ov']}",
        f"{roll['ov']} attack".replace("-", "−") if strike else f"{roll['dv']} defence",
        str(attack.facts["parts"]).replace("-", "−") if attack and not strike else "",
        (d1, d2) if strike else (a1, a2),
        (a1, a2) if strike else (d1, d2),
        str(totals[strike]),
        str(totals[not strike]),
        _short_result(result) if result else "",
        words,
    )
    return panels.battle_inset(t, SIDE, y, COLUMN, fight), y + 216


def _short_result(news: News) -> str:
    if news.key == "strike-result":
        return "The attack succeeds" if news.facts["won"] == "yes" else "The attack fails"
    points = int(news.facts["points"])
    if points > 0:
        return f"Insurgents take {points} casualty point{'s' if points > 1 else ''}"
    return "No effect" if news.facts["kind"] == "fire" else "Attack stalls" if points == 0 else "Attack repulsed"


def _off_map(t: Theme, view: View, y: float) -> tuple[str, float]:
    out = panels.panel(t, SIDE, y, COLUMN, 112, "Off the map")
    for at, zone in enumerate(("NW", "NE")):
        x = SIDE + 40 + at * 132
        units = pieces(view, zone)
        if units:
            out += counters.draw_stack([counter(piece) for piece in units][:8], x, y + 58, 42, pips=False)
        out += svg.text(x + 32, y + 54, f"{zone} zone", t.ink, 13, 600)
        out += svg.text(x + 32, y + 70, f"{len(units)} unit{'s' if len(units) != 1 else ''}", t.quiet, 12, 400)
    out += svg.text(SIDE + 14, y + 102, f"Riverine {view['riverine']}", t.quiet, 12, 400)
    return out, y + 124


def _legend(d: Drawing, y: float) -> tuple[str, float]:
    t = d.theme
    out = panels.panel(t, SIDE, y, COLUMN, 146, "Reading the map")
    line = svg.line(((-14, 0), (14, 0)), t.case, 6.4) + svg.line(((-14, 0), (14, 0)), t.coalition, 4.6)
    entries = (
        (panels.swatch(t.held[1][0], d.pattern("dots")), "Coalition"),
        (panels.swatch(t.insurgent[1][0], d.pattern("hatch")), "insurgent"),
        (panels.swatch(t.insurgent[2][0], d.pattern("stripes"), t.last, "4 3"), "contested"),
        (panels.choose_swatch(t), "you may choose"),
        (line, "front line"),
        (marks.arrow((-14, 5), (14, -4), t, 4), "last move"),
        (marks.area_badge("mosque", "7", 0, 0, 18), "mosque"),
        (marks.area_badge("objective", "7", 0, 0, 18), "objective"),
    )
    return out + panels.legend(t, SIDE + 10, y + 44, COLUMN - 20, entries), y + 158


def _events(t: Theme, recent: Sequence[News], y: float) -> str:
    if not recent or y > HEIGHT - 90:
        return ""
    height = HEIGHT - 20 - y
    out = panels.panel(t, SIDE, y, COLUMN, height, "Last events")
    rows = int((height - 44) // 22)
    events = [("", "", narrate(news)) for news in reversed(recent[-rows:])]
    return out + panels.event_list(t, SIDE + 14, y + 44, COLUMN - 28, events, 22, 12)


# --- pictures --------------------------------------------------------------------------------------------


def draw(scene: Scene) -> str:
    """The whole board, or the area of action when the scene asks for a crop."""
    return _cropped(scene) if scene.crop else _whole(scene)


def _heading(scene: Scene) -> str:
    view = scene.view
    if scene.heading:
        return scene.heading
    if view["phase"] == "action":
        return f"{DAYS[view['turn']]}, impulse {view['impulse']}, {side_words(view['side'])} to act"
    return f"{DAYS[view['turn']]}, {_phase_words(view)}"


def _whole(scene: Scene) -> str:
    t = theme(scene.theme)
    d = Drawing(WIDTH, HEIGHT, t, "Second Fallujah")
    frame = maps.whole(EXTENT, MAP)
    Map(d, scene, frame, COUNTER * frame.scale).draw()
    d.add(panels.header(t, WIDTH, "Second Fallujah", _heading(scene), scene.corner), layer=Layer.PANELS)
    piece, y = _tracks(t, scene.view, 58)
    d.add(piece, layer=Layer.PANELS)
    makers: tuple[Any, ...] = (
        lambda at: _battle(t, scene.recent, at),
        lambda at: _off_map(t, scene.view, at),
        lambda at: _legend(d, at),
    )
    for make in makers:
        piece, y = make(y)
        d.add(piece, layer=Layer.PANELS)
    d.add(_events(t, scene.recent, y), layer=Layer.PANELS)
    return d.svg()


def _cropped(scene: Scene) -> str:
    t = theme(scene.theme)
    d = Drawing(CROP_WIDTH, CROP_HEIGHT, t, "Second Fallujah")
    fight = _scene_of_action(scene)
    boxes = [maps.bounds(POLYGON[area]) for area in fight]
    targets = [maps.bounds(POLYGON[area]) for area in lit_areas(scene)]
    smallest = PHONE_COUNTER / COUNTER
    frame = maps.crop(boxes, targets, (0, 0, CROP_WIDTH, CROP_HEIGHT), EXTENT, smallest, 1.15 * smallest, 70)
    Map(d, scene, frame, PHONE_COUNTER).draw()
    return d.svg()


def _scene_of_action(scene: Scene) -> list[int]:
    """The activated area and what has happened since; without one, the last events."""
    activated = scene.view["activated"]
    starts = [at for at, news in enumerate(scene.recent) if news.key == "activate"]
    since = scene.recent[starts[-1] :] if starts and activated else scene.recent[-6:]
    fight = news_areas(since)
    if activated.isdigit() and int(activated) not in fight:
        fight.append(int(activated))
    if activated in ZONE_SHAPE and not fight:
        fight = list(ZONE_SHAPE[activated]["adjacent"])
    return fight


def alt_words(scene: Scene) -> str:
    """What the picture says, in a few sentences."""
    view = scene.view
    parts = view["score"]
    told = " ".join(narrate(news) for news in scene.recent[-3:])
    lit = lit_areas(scene)
    choose = f" You may choose {', '.join(map(str, lit[:12]))}." if lit else ""
    return (
        f"Second Fallujah, {_heading(scene)}. {parts['total']} victory points, Backlash {parts['backlash']}, "
        f"the Coalition holds {len(view['control'][COALITION])} of {len(AREAS)} areas.{choose} {told}"
    ).strip()
