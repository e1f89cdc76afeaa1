"""The papers beside the map: tracks, the battle with its dice, what is available, what was found, the legend."""

from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from typing import Any

from games.city_fighting import tables as t
from games.city_fighting.pieces import counter, foe, strike_counter
from games.city_fighting.words import narrate
from games.drawing.counters import Counter, count_badge, draw_counter, draw_diamond
from games.drawing.marks import area_badge, ballot, d6, node
from games.drawing.palette import BLACK, Theme
from games.drawing.panels import bar, chips, flow, legend, panel, result_bar, rule_line
from games.drawing.svg import Drawing, circle, group, line, rect, text
from games.drawing.type import cut
from games.kernel.ruleset import Scene
from games.kernel.table import News

Shot = tuple[str, int, int, bool]  # id, firepower, die, ours

VERB_UNITS = ("lead", "hit", "take")


def side_panels(d: Drawing, scene: Scene, x: float, y: float, w: float, h: float, shots: Sequence[Shot]) -> str:
    """Panels from top to bottom as far as they fit."""
    theme, view, end = d.theme, scene.view, y + h
    out = tracks(theme, view, x, y, w)
    y += 194
    if view["battle"] or shots:
        piece, height = battle_panel(theme, scene, x, y, w, shots)
        out += piece
        y += height + 12
    out += available(theme, view, x, y, w)
    y += available_height(view) + 12
    out += findings(theme, view, x, y, w)
    y += 136
    if end - y >= 280:
        out += reading(theme, x, y, w)
        y += 282
    if end - y >= 70:
        out += last_news(theme, scene, x, y, w, end - y)
    return out


def tracks(theme: Theme, view: Mapping[str, Any], x: float, y: float, w: float) -> str:
    start = t.START_OPS[view["scenario"]]
    out = panel(theme, x, y, w, 182, "Tracks")
    inner = w - 28
    out += bar(
        theme, x + 14, y + 44, inner, "Operation points left", str(view["ops"]), view["ops"] / start, theme.coalition
    )
    out += bar(
        theme, x + 14, y + 76, inner, "KIA index", f"{view['kia']:+d}".replace("-", "−"), view["kia"] / 40, theme.last
    )
    vp = f"{view['vp']}".replace("-", "−") + f" · {view['degree']}"
    out += bar(theme, x + 14, y + 108, inner, "Victory points now", vp, view["vp"] / 101, theme.mosque)
    out += chips(theme, x + 14, y + 128, inner, t.LEVELS, t.LEVELS.index(view["morale"]))
    stands = [name for name, stand in zip(t.TERRAINS, t.STAND[t.LEVELS.index(view["morale"])], strict=True) if stand]
    where = f"stands in {', '.join(stands)}" if len(stands) < 4 else "stands everywhere"
    piece, _ = flow(theme, x + 14, y + 172, inner, f"OPFOR picks {view['picks']}, {where}", 12, 400, 1)
    return out + piece


def _edge_line(recent: Sequence[News]) -> str:
    found = [news for news in recent if news.key == "edge"]
    if not found:
        return ""
    f = found[-1].facts
    ours, theirs = int(f["ours"]) + int(f["our_die"]), int(f["theirs"]) + int(f["their_die"])
    return f"Edge: {f['ours']} + {f['our_die']} = {ours} against {f['theirs']} + {f['their_die']} = {theirs}"


def _numbers(scene: Scene) -> dict[str, int]:
    return {str(action[1]): n for action, n in scene.numbers.items() if action[0] in VERB_UNITS}


def _choosable(scene: Scene) -> set[str]:
    return {str(action[1]) for action in scene.legal if action[0] in VERB_UNITS}


def _fighters(view: Mapping[str, Any], shots: Sequence[Shot], ours: bool) -> list[tuple[str, int, int]]:
    """Everybody on one side of the battle: id, firepower, die (0: has not fired)."""
    rows = [(word, power, die) for word, power, die, mine in shots if mine is ours]
    known = {word for word, _, _ in rows}
    fight = view["battle"]
    for word in (fight["units"] if ours else fight["opfor"]) if fight else ():
        if word not in known:
            rows.append((word, _firepower(view, word), 0))
    return rows


def _firepower(view: Mapping[str, Any], word: str) -> int:
    if word in t.UNIT:
        return t.FIREPOWER[int(view["units"][word]["reduced"])][t.UNIT[word]]
    return t.OPFOR_FIREPOWER[t.COUNTER[word]]


def _piece(view: Mapping[str, Any], word: str, x: float, y: float, size: float, ring: str = "") -> str:
    if word in t.COUNTER:
        return draw_diamond(foe(word), x, y, size)
    if word in t.UNIT:
        return draw_counter(counter(view, word, ring), x, y, size)
    strike = t.STRIKE[word]
    return draw_counter(strike_counter(strike), x, y, size)


def _name(word: str) -> str:
    if word in t.UNIT:
        return t.UNIT_NAMES[t.UNIT[word]]
    return t.STRIKE_NAMES[t.STRIKE[word]] if word in t.STRIKE else t.COUNTER_NAMES[t.COUNTER[word]]


def battle_panel(theme: Theme, scene: Scene, x: float, y: float, w: float, shots: Sequence[Shot]) -> tuple[str, float]:
    """Both sides row by row with their dice, the edge, and the result in words."""
    view = scene.view
    fight = view["battle"]
    place = fight["space"] if fight else _last_place(scene.recent)
    ours, theirs = _fighters(view, shots, True)[:7], _fighters(view, shots, False)[:6]
    edge = _edge_line(scene.recent)
    step = 41.0
    height = 44 + (16 if edge else 0) + step * (len(ours) + len(theirs)) + 12 + 66
    out = panel(theme, x, y, w, height, f"Battle · {place} {t.PLACE_NAMES[t.PLACE[place]]}")
    at = y + 38
    if edge:
        out += text(x + 14, at + 4, edge, theme.ink, 12.5, 600)
        at += 16
    at += 16
    choose, numbers = _choosable(scene), _numbers(scene)
    for number, (word, power, die) in enumerate((*ours, *theirs)):
        if number == len(ours):
            out += rule_line(theme, x + 14, at - 14, w - 28)
            at += 8
        out += _piece(view, word, x + 33, at + 2, 31, "choose" if word in choose else "")
        out += text(x + 60, at, cut(_name(word), w - (142 if word in numbers else 112), 13, 600), theme.ink, 13, 600)
        said = f"firepower {power}" if not die else f"{die} on {power}: {'hit' if die <= power else 'missed'}"
        out += text(x + 60, at + 14, said, theme.last if die and die <= power else theme.quiet, 12, 500)
        if die:
            out += d6(die, x + w - 32, at + 2, 25, dark=number >= len(ours))
        if word in numbers:
            out += ballot(numbers[word], x + w - 66, at + 2, 19)
        at += step
    result, words = result_words(scene)
    at += 2
    if result:
        out += result_bar(theme, x + 14, at - 12, w - 28, result)
    piece, _ = flow(theme, x + 14, at + 30, w - 28, words, 12.5, 600, 2, theme.ink)
    return out + piece, height


def _last_place(recent: Sequence[News]) -> str:
    places = [str(news.facts["place"]) for news in recent if news.key in ("fire", "opfor-fire", "won", "lost")]
    return places[-1] if places else "4-7"


def _last_round(recent: Sequence[News]) -> Sequence[News]:
    """The news since the last round began."""
    starts = [at for at, news in enumerate(recent) if news.key in ("edge", "battle")]
    return recent[starts[-1] :] if starts else recent


def result_words(scene: Scene) -> tuple[str, str]:
    """What the last round brought, and what is asked now."""
    recent = _last_round(scene.recent)
    killed = sum(news.key == "killed" for news in recent)
    steps = sum(news.key in ("reduced", "eliminated") for news in recent)
    keys = {news.key for news in recent}
    result = ""
    if keys & {"fire", "opfor-fire"}:
        result = f"{killed} destroyed, {steps} step{'' if steps == 1 else 's'} lost"
    if "won" in keys:
        result = f"Won: {result}" if result else "Won"
    if "lost" in keys:
        result = f"Lost: {result}" if result else "Lost"
    fight = scene.view["battle"]
    if not fight:
        return result, "The battle is over."
    asked = {
        "ChooseLead": "Who leads?",
        "ChooseNetwar": "A NetWar for the edge?",
        "ChooseStrikes": "Which strikes?",
        "TakeHits": f"{fight['hits']} hit{'' if fight['hits'] == 1 else 's'} to take: which unit?",
        "StandOrWithdraw": "OPFOR stands. CONTINUE or WITHDRAW?",
        "Withdraw": "Who withdraws?",
        "AwardLeader": "Which unit does the leader join?",
    }
    return result, asked[fight["question"]]


def _ready(view: Mapping[str, Any]) -> list[tuple[tuple[str, str, str], int]]:
    """What lies in the available box: (word, symbol, firepower) of each kind, and how many."""
    kinds: Tally[tuple[str, str, str]] = Tally()
    for word, box in view["strikes"].items():
        if box == "available":
            piece = strike_counter(t.STRIKE[word])
            kinds[word.split(".")[0], piece.symbol, piece.left] += 1
    kinds["netwar", "netwar", ""] = sum(box == "available" for box in view["netwars"].values())
    kinds["intel", "netwar", ""] = len(view["intel"])
    return sorted((+kinds).items())


def available_height(view: Mapping[str, Any]) -> float:
    return 158 if len(_ready(view)) > 4 else 98


def available(theme: Theme, view: Mapping[str, Any], x: float, y: float, w: float) -> str:
    """Strikes and NetWar in the available box, one counter a kind."""
    out = panel(theme, x, y, w, available_height(view), "Available")
    kinds = _ready(view)
    if not kinds:
        return out + text(x + 14, y + 54, "no strikes and no NetWar", theme.quiet, 13, 400)
    for at, ((word, symbol, power), number) in enumerate(kinds[:8]):
        left, top = x + 40 + (at % 4) * 62, y + 58 + (at // 4) * 58
        out += draw_counter(Counter(word, symbol, "joint", power), left, top, 42)
        if number > 1:
            out += count_badge(number, left + 18, top + 18, 0.9)
    return out


def findings(theme: Theme, view: Mapping[str, Any], x: float, y: float, w: float) -> str:
    """Nodes captured, by kind, and what is still hidden."""
    out = panel(theme, x, y, w, 124, "Captured nodes")
    kinds = Tally(t.NODE_TYPE[t.NODE[word]] for word in view["captured"])
    if view["helicopter"] == "captured":
        kinds["downed_helicopter"] = 1
    if not kinds:
        out += text(x + 14, y + 58, "none yet", theme.quiet, 13, 400)
    for at, (kind, number) in enumerate(sorted(kinds.items())):
        left = x + 32 + at * 33
        out += node(kind, left, y + 54, 28)
        out += text(left, y + 84, f"×{number}", theme.ink, 12, 600, "middle")
    hidden = sum(not marker["up"] for marker in view["nodes"].values())
    known = len(view["nodes"]) - hidden
    bin_size = sum(view["reaction_bin"].values())
    words = f"{hidden} concealed, {known} known on the map; node bin {view['node_bin']}, reaction bin {bin_size}"
    piece, _ = flow(theme, x + 14, y + 104, w - 28, words, 11.5, 400, 2)
    return out + piece


def reading(theme: Theme, x: float, y: float, w: float) -> str:
    entries = [
        (area_badge("mosque", "", 0, 1, 20), "mosque space"),
        (area_badge("square", "", 0, 0, 20), "objective space"),
        (circle(-8, 0, 9, "#CFC8BC", BLACK, 1.3) + circle(8, 0, 9, "#FFFDF8", BLACK, 1.3), "urban, open space"),
        (node("face_down", 0, 0, 24), "node, face down"),
        (node("c2", 0, 0, 24), "node, found"),
        (line(((-15, 0), (15, 0)), theme.road_case, 8) + line(((-15, 0), (15, 0)), theme.msr, 6), "main supply route"),
        (line(((-15, 0), (15, 0)), theme.coalition, 2.2, "3.4 3.6", cap="butt"), "river: Amtrac, SOF, air"),
        (circle(0, 0, 8, "none", BLACK, 5) + circle(0, 0, 8, "none", theme.choose, 3), "you may choose this"),
    ]
    return panel(theme, x, y, w, 270, "Reading the map") + legend(theme, x + 10, y + 48, w - 20, entries, 1, 29)


def last_news(theme: Theme, scene: Scene, x: float, y: float, w: float, h: float) -> str:
    """The newest sentences, as many as fit."""
    out = panel(theme, x, y, w, h, "Last events")
    at = y + 42
    for news in reversed(scene.recent):
        piece, height = flow(theme, x + 14, at, w - 28, narrate(news), 12, 400, 2, theme.ink)
        if at + height > y + h - 4:
            break
        out += piece
        at += height + 4
    if not scene.recent:
        out += text(x + 14, at, "nothing has happened yet", theme.quiet, 12, 400)
    return out


def battle_strip(d: Drawing, scene: Scene, x: float, y: float, w: float, h: float, shots: Sequence[Shot]) -> str:
    """Both sides of a battle below a cropped map: counters with their dice under them."""
    theme, view = d.theme, scene.view
    out = line(((x, y), (x + w, y)), theme.line, 2)
    edge = _edge_line(scene.recent)
    result, words = result_words(scene)
    out += text(x + 20, y + 28, edge or words, theme.ink, 20, 600)
    ours, theirs = _fighters(view, shots, True)[:7], _fighters(view, shots, False)[:5]
    count = len(ours) + len(theirs)
    step = min(112.0, (w - 60) / max(count, 1))
    size = min(84.0, step - 14)
    left = x + 20 + size / 2
    choose, numbers = _choosable(scene), _numbers(scene)
    for word, power, die in ours:
        out += _fighter(view, word, power, die, left, y + 86, size, "choose" if word in choose else "", False)
        if word in numbers:
            out += ballot(numbers[word], left + size * 0.42, y + 86 - size * 0.46, 26)
        left += step
    left = x + w - 20 - size / 2
    for word, power, die in theirs:
        out += _fighter(view, word, power, die, left, y + 86, size, "", True)
        left -= step
    if result:
        out += rect(x + 20, y + h - 52, w - 40, 40, 20, theme.last)
        out += text(x + w / 2, y + h - 25, f"{result}. {words}", theme.on_last, 21, 600, "middle")
    return out


def _fighter(
    view: Mapping[str, Any], word: str, power: int, die: int, x: float, y: float, size: float, ring: str, dark: bool
) -> str:
    out = _piece(view, word, x, y, size, ring)
    if die:
        out += d6(die, x, y + size * 0.5 + 26, 36, dark)
        if die <= power:
            out = group(out) + circle(x + 24, y + size * 0.5 + 12, 6, "#C8401A", "#FFFDF8", 1.6)
    return out
