"""Bots play: looked at and thought about without any lock, then written under the match lock.

A worker takes a job (lease.py), reads the match, deals the unknown afresh for the seat that is asked and lets the
bot choose in a process of its own (minds.py). It may think a few decisions ahead on its own copy: dice follow
from the seed and the chain, so they fall there as they will fall in the match. Then the match is locked. If it is still
where the bot looked, the entries are written; if it has moved on, the bot looks again.
"""

import contextlib
import hashlib
import logging
import random
import time
from typing import NamedTuple

import msgspec
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction

from games import catalogue
from games.bots.registry import SIMPLE
from games.bots.thinker import Question
from games.kernel.errors import GameError
from games.kernel.ruleset import dump, load
from games.kernel.steps import Action, apply, check, notation, owed
from games.kernel.table import SeededTable
from games.ledger import dice, lease, minds
from games.ledger.minds import Failed
from games.ledger.models import BotFault, Match, Outbox
from games.ledger.play import SEATS, UNLOCKED, Hand, locked
from games.ledger.trip import Trip

logger = logging.getLogger(__name__)
RUN_DECISIONS = 25  # written together: keeps the match row free for people who look or join
RUN_SECONDS = 0.5  # and a run is written after so long, so that people see it move
SLICE_SECONDS = 1.0  # then a job makes way for others that wait
DRAIN_SECONDS = 5.0  # then a task ends and another is sent, so that workers can stop
TRIES = 2  # at one decision; then the simple bot answers


class Again(NamedTuple):
    """A job to be woken for."""

    row_id: int
    seconds: float


class Move(msgspec.Struct):
    """An answer, and the link of the chain it was thought for."""

    seat: str
    action: Action
    by: str
    why: str
    before: str


class Look:
    """A match as a worker has read it, and how it goes on if the bots have their way."""

    def __init__(self, match_id: int) -> None:
        trip = Trip()
        found, seats = trip.look(UNLOCKED, match_id), trip.look(SEATS, match_id)
        trip.go()
        self.match = match = found[0]
        self.playing = match.status == Match.Status.PLAYING and not match.fault
        self.seats = {seat.key: seat for seat in seats}
        self.rules = catalogue.find(match.ruleset)
        self.g = load(self.rules, bytes(match.state)) if self.playing else None
        self.link, self.seq = match.head_hash, match.head_seq

    def bot_asked(self) -> str | None:
        return next((key for key in owed(self.g) if self.bot_of(key)), None) if self.g else None

    def bot_of(self, key: str) -> str:
        return self.seats[key].bot if key in self.seats else ""

    def person_asked(self) -> bool:
        """Then kept and standing orders come first, which are played under the lock."""
        return any(not self.bot_of(key) for key in owed(self.g)) if self.g else False

    def go_on(self, move: Move) -> None:
        assert self.g is not None
        table = dice.fair_table(self.match.seed, self.link)
        apply(self.g, move.seat, move.action, table, trusted=True)
        self.seq += 1
        self.link = dice.entry_hash(self.link, self.seq, move.seat, move.action, table.rolls, move.by)


class Worker:
    """One job from being taken to being done or given back."""

    def __init__(self, job: Outbox) -> None:
        assert job.match_id is not None
        self.job, self.match_id = job, job.match_id
        self.given_up = int(job.payload.get("given_up", 0))
        self.excuse = "lost by several workers" if job.attempts > lease.MOST_ATTEMPTS else ""
        self.decisions, self.thinking = 0, 0.0

    def play(self) -> Again | None:
        until = time.monotonic() + SLICE_SECONDS
        while True:
            look = Look(self.match_id)
            base = look.link
            moves, failed = self._think(look)
            if (moves or failed is None) and not self._write(base, moves):
                return None
            if failed is not None and not self._give_up(look, failed):
                lease.give_back(self.job, failures=self.job.failures)
                return Again(self.job.pk, lease.RETRY_SECONDS)
            if time.monotonic() >= until and lease.others_wait(self.job):
                lease.give_back(self.job, **self._standing())
                return Again(self.job.pk, 0)

    # --- thinking ----------------------------------------------------------------------------------

    def _think(self, look: Look) -> tuple[list[Move], Failed | None]:
        moves: list[Move] = []
        until = time.monotonic() + RUN_SECONDS
        while (key := look.bot_asked()) is not None and len(moves) < RUN_DECISIONS and time.monotonic() < until:
            if moves and look.person_asked():
                break
            try:
                move = self._simple(look, key) if self._must_be_simple() else self._choose(look, key)
            except Failed as failed:
                return moves, failed
            look.go_on(move)
            moves.append(move)
        return moves, None

    def _must_be_simple(self) -> bool:
        return bool(self.excuse) or self.given_up >= lease.MOST_GIVEN_UP

    def _choose(self, look: Look, key: str) -> Move:
        """The bot sees an imagined state; what it answers is checked like anybody's."""
        assert look.g is not None
        bot, rng = look.bot_of(key), random.Random(_seed(look, key, "world"))
        seconds = seconds_of(look.match, bot)
        question = Question(
            number=0,
            ruleset=look.match.ruleset,
            package=catalogue.package(look.match.ruleset),
            bot=bot,
            seat=key,
            state=dump(look.rules.imagine(look.g, key, SeededTable(rng))),
            seed=_seed(look, key, "bot"),
            cpu_seconds=seconds,
            wall_seconds=seconds * settings.BOT_WALL_FACTOR,
        )
        began = time.monotonic()
        answer = minds.ask(question, lambda: lease.beat(self.job), lease.beat_every())
        self.thinking += time.monotonic() - began
        try:
            check(look.g, key, answer.action)
        except GameError as error:
            raise Failed("illegal", f"{notation(answer.action)!r}: {error.text}") from None
        return Move(key, answer.action, f"bot:{bot}", answer.why, look.link)

    def _simple(self, look: Look, key: str) -> Move:
        """Where the bot cannot answer: any legal action. Thought here, for it must not fail."""
        assert look.g is not None
        choice = SIMPLE.choose(look.rules, look.g, key, random.Random(_seed(look, key, "simple")))
        reason = self.excuse or f"failed {self.given_up} times before"
        self.excuse = ""
        return Move(key, choice.action, f"bot:{SIMPLE.key}", f"for {look.bot_of(key)}: {reason}", look.link)

    def _give_up(self, look: Look, failed: Failed) -> bool:
        """Note the failure; True when it was the last and the simple bot is to answer."""
        key = look.bot_asked() or ""
        self.job.failures += 1
        last = failed.kind == "illegal" or self.job.failures >= TRIES
        bot, match = look.bot_of(key), look.match
        logger.warning(
            "match %s entry %s: bot %s of %s failed (%s): %s%s",
            match.pk, look.seq, bot, key, failed.kind, failed.detail, "; the simple bot answers" if last else "",
        )  # fmt: skip
        BotFault.objects.create(
            match=match,
            seat=key,
            bot=bot,
            seq=look.seq,
            kind=failed.kind,
            detail=failed.detail[:300],
            holder=self.job.holder,
            answered=last,
        )
        if last:
            self.excuse = f"{failed.kind}, {failed.detail}"
            self.given_up += 1
        return last

    # --- writing -----------------------------------------------------------------------------------

    def _write(self, base: str, moves: list[Move]) -> bool:
        """Enter the moves if the match is where it was looked at; False when no bot is asked any more."""
        with transaction.atomic():
            hand = locked(self.match_id)
            playing = hand.match.status == Match.Status.PLAYING and not hand.match.fault
            written = self._enter(hand, moves) if playing and hand.match.head_hash == base else 0
            more = playing and _bot_asked(hand)
            if written:
                hand.close()
            if more:
                lease.beat(self.job, **(self._standing() if written else {}))
            else:
                lease.finish(self.job, "sent", f"{self.decisions} decisions, {self.thinking:.4f} s of thinking")
        return more

    def _enter(self, hand: Hand, moves: list[Move]) -> int:
        written = 0
        for move in moves:
            if hand.match.head_hash != move.before:
                break  # a kept or standing order has answered in between: look again
            hand.act(move.seat, move.action, move.by, move.why)
            hand.go_on()
            written += 1
            if move.by != f"bot:{SIMPLE.key}" or not move.why.startswith("for "):
                self.given_up = 0
        self.decisions += written
        self.job.failures = 0
        return written

    def _standing(self) -> dict[str, object]:
        """What the job remembers from one decision to the next."""
        return {"attempts": 1, "failures": self.job.failures, "payload": {"given_up": self.given_up}}


def _seed(look: Look, key: str, use: str) -> str:
    """The same match, entry and seat give the same chance, and it tells nothing of the match's own seed."""
    return hashlib.sha256(f"{use}:{look.match.seed}:{look.link}:{key}".encode()).hexdigest()


def _bot_asked(hand: Hand) -> bool:
    return any(key in hand.seats and hand.seats[key].bot for key in owed(hand.g))


def seconds_of(match: Match, bot: str) -> float:
    """Processor time for one decision: the match's, the bot's or the server's figure."""
    return float(match.bot_seconds or settings.BOT_SECONDS_OF.get(bot, settings.BOT_SECONDS))


def jobs_play(row_id: int) -> list[Again]:
    """Play the job, then whatever else waits, people's matches first; what to wake somebody for."""
    until = time.monotonic() + DRAIN_SECONDS
    again: list[Again] = []
    job = lease.take(row_id) or lease.take_best()
    while job is not None:
        rest = _play(job)
        if rest is not None and rest.seconds:
            again.append(rest)
        if time.monotonic() >= until:
            return again + [Again(waiting, 0) for waiting in lease.due(1)]
        job = lease.take_best()
    return again


def _play(job: Outbox) -> Again | None:
    try:
        return Worker(job).play()
    except lease.Lost as lost:
        logger.warning("%s; its answer is not written", lost)
        return None
    except (OperationalError, InterfaceError) as error:
        logger.warning("bot job %s: the database is away (%s)", job.pk, error)
        connection.close()
        with contextlib.suppress(OperationalError, InterfaceError):  # else the lease runs out
            lease.give_back(job, attempts=0)
        return Again(job.pk, lease.RETRY_SECONDS)
    except AssertionError as error:
        _stop_match(job, str(error))
        return None
    except Exception as error:
        if job.attempts > lease.MOST_ATTEMPTS:
            _stop_match(job, f"{type(error).__name__}: {error}")
            return None
        logger.exception("bot job %s of match %s failed", job.pk, job.match_id)
        lease.give_back(job, failures=1)
        return Again(job.pk, lease.RETRY_SECONDS)


def _stop_match(job: Outbox, why: str) -> None:
    """A broken invariant stops the match, loudly, with its ledger."""
    logger.error("match %s stopped: %s", job.match_id, why)
    with transaction.atomic():
        Match.objects.filter(outbox=job).update(fault=why[:2000])
        lease.finish(job, "failed", f"match stopped: {why}")
