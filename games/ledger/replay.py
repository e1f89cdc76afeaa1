"""States and lines back from the database."""

from games import catalogue
from games.kernel.record import Entry as Line
from games.kernel.record import live, replay_on
from games.kernel.record import replay as kernel_replay
from games.kernel.ruleset import Ruleset, load
from games.kernel.steps import State
from games.ledger.models import Entry, Match, Snapshot


def line(entry: Entry) -> Line:
    rolls = tuple((kind, value) for kind, value in entry.rolls)
    return Line(entry.seq, entry.seat, tuple(entry.action), rolls, entry.by)


def lines(match_id: int, upto: int | None = None, after: int = -1) -> list[Line]:
    rows = Entry.objects.filter(match_id=match_id, seq__gt=after)
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    return [
        Line(seq, seat, tuple(action), tuple((kind, value) for kind, value in rolls), by)
        for seq, seat, action, rolls, by in rows.order_by("seq").values_list("seq", "seat", "action", "rolls", "by")
    ]


def state_at(match: Match, seq: int) -> State:
    """The state after entry `seq`, from the nearest snapshot when nothing after it was taken back."""
    rules = catalogue.find(match.ruleset)
    if seq == match.head_seq:
        return load(rules, bytes(match.state))
    snapshot = Snapshot.objects.filter(match=match, seq__lte=seq).order_by("-seq").first()
    if snapshot is not None:
        rest = lines(match.pk, seq, after=snapshot.seq)
        if not any(item.action[0] == "undo" for item in rest):
            return replay_on(load(rules, bytes(snapshot.state)), _playable(rest))
    return state_from_start(rules, match, lines(match.pk, seq))


def state_from_start(rules: Ruleset, match: Match, entries: list[Line]) -> State:
    """The state after the given entries, replayed from the first."""
    return kernel_replay(rules, rules.setup(match.options), live(entries))


def _playable(entries: list[Line]) -> list[Line]:
    from games.kernel.record import LEDGER_VERBS

    return [item for item in entries if item.action[0] not in LEDGER_VERBS]
