"""Playing on a locked match: the one place where entries are made.

A Hand holds the match row (locked), the state and the entries not yet written. Services open it, act,
and close it; closing writes entries, snapshot, news and work for later in the same transaction.
"""

import logging
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from games import catalogue
from games.kernel.errors import GameError, MatchOver
from games.kernel.orders import Order, Played, StandingOrder, parse_order, play_orders, standing_answer
from games.kernel.record import Entry as Line
from games.kernel.ruleset import Ruleset, dump, load
from games.kernel.steps import Action, State, apply, check, owed
from games.kernel.table import News, Roll, SeededTable
from games.ledger import dice, outbox, replay, standing, stops, timing
from games.ledger.models import Entry, Match, Seat, Snapshot
from games.ledger.models import StandingOrder as StandingRow
from games.ledger.trip import Look, Trip, finish

logger = logging.getLogger(__name__)
SNAPSHOT_EVERY = 50
PLAYED = ("head_seq", "head_hash", "state", "owed", "owed_since")  # what every order changes of the match
ENDED = ("status", "ended_at", "outcome")
MOST_AUTOMATIC = 500  # standing and kept answers in one transaction; more would be a loop


# Columns that nobody needs while playing stay where they are. The lock is taken by a statement of its own: the
# next one then sees what its last holder wrote.
UNUSED = ("title", "options", "header", "outcome", "commitment", "created_at", "started_at", "ended_at")
MATCH: Look[Match] = Look(lambda pk: Match.objects.select_for_update().filter(pk=pk).defer(*UNUSED))
UNLOCKED: Look[Match] = Look(lambda pk: Match.objects.filter(pk=pk).defer(*UNUSED))
SEATS: Look[Seat] = Look(lambda match_id: Seat.objects.filter(match_id=match_id).defer("salt", "note", "joined_at"))


class Hand:
    """A locked match being played on."""

    def __init__(self, match: Match, seats: Iterable[Seat]) -> None:
        self.match = match
        self.rules: Ruleset = catalogue.find(match.ruleset)
        self.g: State = load(self.rules, bytes(match.state)) if match.state else None  # type: ignore[assignment]
        self.entries: list[Entry] = []
        self.raw: bytes = b""  # the state after the last entry, as it is sealed and stored
        self.owed_before: tuple[str, ...] = tuple(match.owed)
        self.seats: dict[str, Seat] = {seat.key: seat for seat in seats}
        self.standing: dict[str, list[StandingRow]] = {}
        self.changed: dict[str, set[str]] = {}  # seat -> its columns that `close` will write
        self.trip = Trip()  # what else it will write

    @classmethod
    def open(cls, match_id: int) -> "Hand":
        """Lock the match row; everybody else waits. Call inside a transaction."""
        trip = Trip()
        found, seats = trip.look(MATCH, match_id), trip.look(SEATS, match_id)
        trip.go()
        if not found:
            raise GameError(f"There is no match {match_id}.", code="not-found")
        return cls(found[0], seats)

    # --- acting ------------------------------------------------------------------------------------

    def start(self) -> None:
        """Entry 0: the set-up with its rolls."""
        self.match.head_hash = dice.header_hash(self.match.header)
        table = dice.fair_table(self.match.seed, self.match.head_hash)
        self.g = self.rules.start(self.rules.setup(self.match.options), table)
        self._append("", ("open",), table.rolls, table.news, "server")

    def act(self, seat: str, action: Action, by: str, why: str = "") -> Sequence[News]:
        """One legal action as one entry. A refused one changes nothing."""
        check(self.g, seat, action)
        table = dice.fair_table(self.match.seed, self.match.head_hash)
        apply(self.g, seat, action, table, trusted=True)
        self._append(seat, action, table.rolls, table.news, by, why)
        return table.news

    def rehearse(self, seat: str) -> None:
        """Go on in a world the seat cannot tell from the real one, with other dice: nothing can be peeked at."""
        self.match.seed = dice.new_seed()
        self.g = self.rules.imagine(self.g, seat, SeededTable(secrets.randbits(64)))

    def note(self, seat: str, action: Action, by: str, news: Iterable[News] = ()) -> None:
        """An entry of the ledger itself (undo, resign); the state is set by the caller."""
        self._append(seat, action, (), news, by)

    def _append(
        self, seat: str, action: Action, rolls: Sequence[Roll], news: Iterable[News], by: str, why: str = ""
    ) -> None:
        match = self.match
        seq = match.head_seq + 1
        self.raw = dump(self.g)
        link = dice.entry_hash(match.head_hash, seq, seat, action, rolls, by)
        self.entries.append(
            Entry(
                match_id=match.pk,
                seq=seq,
                seat=seat,
                action=list(action),
                rolls=[list(roll) for roll in rolls],
                by=by,
                previous_hash=match.head_hash,
                hash=link,
                seal=dice.state_seal(match.seed, self.raw),
                news=[[item.key, item.facts, item.to] for item in news],
                why=why[:300],
                at=timezone.now(),
            )
        )
        match.head_seq, match.head_hash = seq, link

    def play(self, seat: str, orders: Sequence[Order], by: str = "player") -> Played:
        """Typed orders in turn; the first refused one stops the rest."""

        def act(_g: State, who: str, action: Action) -> Sequence[News]:
            return self.act(who, action, by)

        return play_orders(self.rules, self.g, seat, orders, act)

    def play_actions(self, seat: str, actions: Sequence[Action], by: str = "player") -> tuple[int, GameError | None]:
        """Actions in turn; how many were taken and why the next was not."""
        for taken, action in enumerate(actions):
            try:
                self.act(seat, action, by)
            except GameError as error:
                return taken, error
        return len(actions), None

    def go_on(self) -> None:
        """Kept orders and standing orders of the seats now asked, until a person or a bot must answer."""
        for _ in range(MOST_AUTOMATIC):
            if not any(self._answer_for(seat) for seat in owed(self.g)):
                return
        raise AssertionError(f"match {self.match.pk}: standing orders do not come to an end")

    def _answer_for(self, key: str) -> bool:
        seat = self.seats.get(key)
        if seat is None or seat.bot:
            return False
        return self._play_kept(seat) or self._play_standing(seat)

    def _play_kept(self, seat: Seat) -> bool:
        if not seat.kept:
            return False
        orders = [parse_order(text) for text in seat.kept]
        played = self.play(seat.key, orders, "kept")
        self.set(seat.key, kept=[] if played.stopped else played.kept)
        if played.stopped:
            line = next(line for line in played.lines if line.status in ("refused", "not read"))
            outbox.tell_seat(self.match, seat, "kept-dropped", {"order": line.text, "why": line.why}, self.trip)
        return played.taken > 0

    def _play_standing(self, seat: Seat) -> bool:
        for row in self._standing(seat):
            if not standing.answers(row, self.rules, self.g):
                continue
            found = standing_answer(self.rules, self.g, seat.key, standing_rules(row))
            if found is not None:
                self.act(seat.key, found[1], f"standing:{row.number}")
                row.fired += 1
                self.trip.update(row, ("fired",))
                return True
        return False

    def _standing(self, seat: Seat) -> list[StandingRow]:
        """The seat's standing orders in force, read once, and only when there are any."""
        if seat.key not in self.standing:
            rows = StandingRow.objects.filter(seat=seat, withdrawn_at=None) if seat.armed else ()
            self.standing[seat.key] = list(rows)
        return self.standing[seat.key]

    # --- closing -----------------------------------------------------------------------------------

    def set(self, key: str, **values: Any) -> None:
        """Columns of a seat that `close` will write."""
        for name, value in values.items():
            setattr(self.seats[key], name, value)
        self.changed.setdefault(key, set()).update(values)

    def close(self, actor: str | None = None) -> None:
        """Write everything in one trip: entries, state, snapshot, outcome, seats, and work for later."""
        if self.entries:
            self._write_entries(actor)
        for key, names in self.changed.items():
            self.trip.update(self.seats[key], sorted(names))
        self.changed = {}
        finish(self.trip)

    def _write_entries(self, actor: str | None) -> None:
        match, now = self.match, timezone.now()
        first, columns = self.entries[0].seq, list(PLAYED)
        asks_back = "take-back" in match.clock_stops
        match.state = self.raw
        asked = owed(self.g) if match.status == Match.Status.PLAYING else ()
        if tuple(asked) != tuple(match.owed) or match.owed_since is None:
            match.owed_since = now
        match.owed = list(asked)
        self._finish(now)
        if match.status != Match.Status.PLAYING:
            columns += ENDED
        self._run_clocks(now)
        self.trip.insert(self.entries)
        self.trip.update(match, columns)
        if match.head_seq // SNAPSHOT_EVERY != (first - 1) // SNAPSHOT_EVERY:
            self.trip.insert([Snapshot(match=match, seq=match.head_seq, state=match.state)])
        if asks_back:
            self.trip.write(match.take_back_requests.filter(status="asked", asked_at_seq__lt=first), status="lapsed")
        outbox.announce(match, self.seats, self.owed_before, actor, self.trip, opened=first == 0)

    def _run_clocks(self, now: Any) -> None:
        """A seat's clock runs from the moment it is asked, and anew after each of its own answers."""
        acted = {entry.seat for entry in self.entries}
        present = {entry.seat for entry in self.entries if entry.by in timing.PRESENT}
        if self.match.clock_stops:
            stops.after_entries(self.match, self.seats, present)
        for key, seat in self.seats.items():
            asked = key in self.match.owed
            if asked != (seat.asked_since is not None) or (asked and key in acted):
                fields = timing.turn(self.match, seat, now, asked=asked, present=key in present)
                self.changed.setdefault(key, set()).update(fields)

    def _finish(self, now: Any) -> None:
        match = self.match
        if match.status != Match.Status.PLAYING or match.owed:
            return
        outcome = self.rules.outcome(self.g)
        if outcome is None:
            raise AssertionError(f"match {match.pk} asks nobody and is not over")
        self.end(msgspec.to_builtins(outcome))

    def end(self, outcome: dict[str, Any]) -> None:
        match = self.match
        match.status, match.ended_at, match.outcome, match.owed = Match.Status.OVER, timezone.now(), outcome, []

    def must_be_playing(self) -> None:
        match = self.match
        if match.status == Match.Status.OPEN:
            raise GameError(f"Match {match.pk} has not started: seats are still empty.", code="not-started")
        if match.status != Match.Status.PLAYING:
            raise MatchOver(f"Match {match.pk} is over; nothing more can be ordered.")
        if match.fault:
            raise GameError(f"Match {match.pk} has been stopped for repair: {match.fault}", code="stopped")

    def lines(self) -> list[Line]:
        """Every ledger line so far, written or not."""
        written = replay.lines(self.match.pk)
        return [*written, *(replay.line(entry) for entry in self.entries)]


def standing_rules(row: StandingRow) -> list[StandingOrder]:
    return msgspec.convert(row.rules, list[StandingOrder])


def locked(match_id: int) -> Hand:
    """Open a hand; must be inside a transaction."""
    assert transaction.get_connection().in_atomic_block, "a match is played on inside a transaction"
    return Hand.open(match_id)
