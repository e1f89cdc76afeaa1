"""The process in which bots think: `python -m games.bots.thinker`, spoken to over its standard input and output.

It is handed imagined states only, has no database and no secret of the server, and limits itself: memory and
priority once, processor time and time on the clock for each question. Whoever started it kills it when it is late.
"""

import argparse
import ctypes
import math
import os
import random
import resource
import select
import signal
import struct
import sys
from typing import Any

import msgspec

from games import catalogue
from games.bots.base import Choice
from games.bots.registry import add_bots, find_bot
from games.kernel.ruleset import load
from games.kernel.steps import Action

HEAD = struct.Struct(">I")  # the length of what follows
MOST_BYTES = 64 * 1024  # of an answer
MOST_LETTERS = 4000  # of an action
PARENT_DEATH_SIGNAL = 1  # prctl(2)


class Question(msgspec.Struct, array_like=True):
    """What should this seat do? `state` is already imagined for it."""

    number: int
    ruleset: str
    package: str  # where the ruleset lives
    bot: str
    seat: str
    state: bytes
    seed: str  # of the bot's own chance; says nothing of the dice
    cpu_seconds: float
    wall_seconds: float


class Answer(msgspec.Struct, array_like=True):
    """What the bot does, or how it failed."""

    number: int
    action: Action = ()
    why: str = ""
    fault: str = ""  # empty: answered. raised, garbage, memory
    detail: str = ""


def frame(message: msgspec.Struct) -> bytes:
    body = msgspec.msgpack.encode(message)
    return HEAD.pack(len(body)) + body


def answer(question: Question) -> Answer:
    """Let the bot choose; whatever it does wrong comes back as words."""
    try:
        catalogue.learn(question.ruleset, question.package)
        rules = catalogue.find(question.ruleset)
        g = load(rules, question.state)
        bot = find_bot(question.ruleset, question.bot)
        choice = bot.choose(rules, g, question.seat, random.Random(question.seed))
        action, why = _read_choice(choice)
    except MemoryError:
        return Answer(question.number, fault="memory", detail="needs more memory than it may have")
    except BaseException as error:  # also SystemExit: a bot may try anything
        fault = "garbage" if isinstance(error, msgspec.ValidationError) else "raised"
        return Answer(question.number, fault=fault, detail=f"{type(error).__name__}: {error}"[:300])
    return Answer(question.number, action, why)


def _read_choice(choice: Any) -> tuple[Action, str]:
    """A bot may be anybody's code: what it returns is looked at before it is believed."""
    if not isinstance(choice, Choice):
        raise msgspec.ValidationError(f"a {type(choice).__name__} is not a Choice")
    action = msgspec.convert(choice.action, Action)
    if sum(len(str(word)) for word in action) > MOST_LETTERS:
        raise msgspec.ValidationError(f"an action of {len(action)} words is too long")
    return action, str(choice.why)[:300]


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _limit_once(memory_mb: int, nice: int, parent: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory_mb:
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
    if nice:
        os.nice(nice)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        raise SystemExit("the worker that wanted this process is gone")


def _limit_question(question: Question) -> None:
    """The kernel ends us if we are late, whatever the bot is doing and even if our worker has died."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(_cpu() + question.cpu_seconds), hard))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, question.wall_seconds + 1)


def _read(source: int, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = os.read(source, size - len(parts))
        if not part:
            return None
        parts += part
    return bytes(parts)


def _serve(source: int, sink: int, idle_seconds: float) -> None:
    """Answer until there is no more to ask, nothing was asked for long, or a bot has failed in here."""
    me = os.getpid()
    while select.select([source], [], [], idle_seconds)[0]:
        head = _read(source, HEAD.size)
        body = _read(source, HEAD.unpack(head)[0]) if head else None
        if body is None:
            return
        question = msgspec.msgpack.decode(body, type=Question)
        _limit_question(question)
        given = answer(question)
        if os.getpid() != me:
            os._exit(0)  # a process the bot has forked: one of us answers
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.write(sink, frame(given))
        if given.fault:
            return


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory", type=int, default=0, help="MB; 0: no limit")
    parser.add_argument("--nice", type=int, default=0)
    parser.add_argument("--idle", type=float, default=300)
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--bot", action="append", default=[], help="ruleset.key=module:Class")
    given = parser.parse_args()
    # What a bot prints must not be taken for an answer.
    source, sink = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    _limit_once(given.memory, given.nice, given.parent)
    add_bots(given.bot)
    _serve(source, sink, given.idle)


if __name__ == "__main__":
    main()
