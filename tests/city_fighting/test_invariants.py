"""What stays true at every answer of random games."""

import random
from collections import Counter

import pytest

from games.bots.registry import find_bot
from games.city_fighting import RULES
from games.city_fighting import tables as t
from games.city_fighting.board import NOWHERE, Board
from games.city_fighting.recruiting import Recruit, SetUp
from games.city_fighting.sequence import OpMenu
from games.kernel.ruleset import fresh
from games.kernel.steps import apply, legal, owed, question
from games.kernel.table import SeededTable

OPTIONS = [
    {"scenario": "vigilant"},
    {"scenario": "phantom", "networked": True, "interdiction": True},
    {"scenario": "campaign", "seats": 2, "mode": "sectors"},
]


def check_places(g: Board) -> None:
    """Every counter is in exactly one place."""
    nodes = [*g.node_bin, *(n for n in g.down if n >= 0), *(n for n in g.shown if n >= 0), *g.captured, *g.gone]
    assert sorted(nodes) == list(range(t.NODES))
    counters = [*g.bin, *g.drawn, *g.opfor, *g.hvt_dead, *g.in_play, *g.removed, *g.intel]
    if g.chopper != NOWHERE:
        counters.append(t.COUNTER["ev.downed_helicopter.1"])
    assert sorted(counters) == list(t.REACTION)
    assert len(t.UNIT_IDS) + len(t.STRIKE_IDS) + len(t.NETWAR_IDS) + len(t.LEADER_IDS) == 76
    assert 76 + t.NODES + len(t.REACTION) + len(t.COUNTERS["admin"]) == 176
    held = [holder for holder in g.leader if holder >= 0]
    assert len(set(held)) == len(held) and all(g.loc[holder] < t.PLACES for holder in held)
    assert g.bin == sorted(g.bin) and g.node_bin == sorted(g.node_bin), "no hidden order"


def check_between_operations(g: Board, withdrawn: bool) -> None:
    assert not g.opfor and not g.drawn and not g.negotiated and g.ops > 0
    assert t.COMMITTED not in g.strike
    if withdrawn:
        return
    for place in range(t.SPACES):
        here = [unit for unit, at in enumerate(g.loc) if at == place]
        assert sum(t.BATTALION[unit] for unit in here) <= 2 and sum(t.COMPANY[unit] for unit in here) <= 2
        assert sum(t.HELO[unit] for unit in here) <= 2 and sum(t.FOB[unit] for unit in here) <= 1


@pytest.mark.parametrize("options", OPTIONS, ids=lambda chosen: str(chosen["scenario"]))
@pytest.mark.parametrize("seed", range(6))
def test_invariants_hold_at_every_answer(seed: int, options: dict[str, object]) -> None:
    rng = random.Random(seed)
    bot = find_bot("city_fighting", "operator")  # plays most of every other game, to get deeper into it
    g = fresh(RULES, seed, options)
    assert isinstance(g, Board)
    withdrawn = False
    killed = lost = 0
    aside: set[int] = set()
    gone: set[int] = set()
    while owed(g):
        seat = owed(g)[0]
        check_places(g)
        if isinstance(question(g), OpMenu):
            check_between_operations(g, withdrawn)
        choices = legal(g, seat)
        assert choices
        before = (g.campaign, g.ops, g.morale)
        table = SeededTable(rng)
        own = seed % 2 and (isinstance(question(g), SetUp | Recruit) or rng.random() < 0.7)
        action = bot.choose(RULES, g, seat, rng).action if own else rng.choice(choices)
        apply(g, seat, action, table)
        news = Counter(item.key for item in table.news)
        withdrawn = withdrawn or bool(news["withdrew"])
        if g.campaign != before[0]:
            killed = lost = 0
            aside, gone, withdrawn = set(), set(), False
            continue
        killed += news["killed"]
        lost += news["reduced"] + news["eliminated"]
        assert g.kia == killed - lost, "the index counts what died"
        assert abs(g.morale - before[2]) <= news["morale-check"] and 0 <= g.morale <= 3
        check_ops(before[1], g.ops, action, table)
        aside |= {marker for marker, box in enumerate(g.netwar) if box == t.ASIDE}
        assert all(g.netwar[marker] == t.ASIDE for marker in aside)
        gone |= {unit for unit, at in enumerate(g.loc) if at in (t.ELIMINATED, t.DESERTED)}
        assert all(g.loc[unit] in (t.ELIMINATED, t.DESERTED) for unit in gone)
        check_picks(g, table)
        check_news(g, table)
        views = {str(RULES.view(g, viewer)) for viewer in (None, *t.SEATS[: g.seats])}
        assert len(views) == 1
    assert g.over in ("ops", "end") and (g.ops <= 0 or g.over == "end")


def check_ops(before: int, after: int, action: tuple[str | int, ...], table: SeededTable) -> None:
    """OPs change by what was paid, gained and lost, and by nothing else."""
    gained = sum(int(news.facts["count"]) for news in table.news if news.key == "ops-gained")
    lost = sum(int(news.facts["count"]) for news in table.news if news.key == "ops-lost")
    paid = before - (after - gained + lost)
    if action[0] == "buy":
        assert 0 <= paid <= 6
    elif action[:2] == ("j4", "fob"):
        assert paid == t.FOB_PRICE
    else:
        starts = str(action[0]) in ("j1", "j2", "j3", "j4", "j5", "idle", "netops", "interdict")
        assert paid == int(starts)


def check_news(g: Board, table: SeededTable) -> None:
    """Nobody walks on water, no side outlives nobody, and no news names a concealed node."""
    hidden = {t.NODE_IDS[node] for node in g.down if node >= 0}
    for news in table.news:
        assert news.facts.get("node") not in hidden
        if news.key == "moved":
            here, there = t.PLACE[str(news.facts["origin"])], t.PLACE[str(news.facts["place"])]
            units = [t.UNIT[word] for word in str(news.facts["units"]).split()]
            for other, kind in t.LINKS[here]:
                wet = kind == t.RIVER or (kind >= t.BRIDGE and g.blown[kind - t.BRIDGE])
                if other == there and wet and not table_has(table, "bridge-blown"):
                    walkers = [unit for unit in units if not (t.SOF[unit] or t.AMTRAC[unit])]
                    assert len(walkers) <= sum(t.AMTRAC[unit] for unit in units)
                    assert all(t.LIGHT[unit] for unit in walkers)
    assert not (table_has(table, "won") and table_has(table, "lost"))


def table_has(table: SeededTable, key: str) -> bool:
    return any(news.key == key for news in table.news)


def check_picks(g: Board, table: SeededTable) -> None:
    """Picks of a stop: the chart, an Arms Cache, Ambush and Martyrs, a replaced Negotiations; or the bin ran dry."""
    picked = [str(news.facts["counter"]) for news in table.news if news.key == "picked"]
    if not picked:
        return
    extra = sum(t.COUNTER_TYPE[t.COUNTER[word]] in ("ambush", "martyrs", "negotiations") for word in picked)
    assert len(picked) <= 2 * (max(t.PICKS) + 2) + extra


def test_a_concealed_node_is_in_no_view() -> None:
    g = fresh(RULES, 3, {"scenario": "phantom"})
    assert isinstance(g, Board)
    text = str(RULES.view(g, "a"))
    assert not any(word in text for word in t.NODE_IDS)


def test_concealed_picks_are_secret_rolls() -> None:
    table = SeededTable(1)
    RULES.start(RULES.setup(), table)
    assert [kind for kind, _ in table.rolls] == [f"of{size}?" for size in range(28, 8, -1)]
