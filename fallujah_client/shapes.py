"""What the API answers, as types. Each is checked against the schema by a test."""

from typing import Any

import msgspec

Action = list[str | int]


class Seat(msgspec.Struct, frozen=True):
    key: str
    name: str
    player: str | None
    bot: str | None
    you: bool
    due_at: str | None = None


class Match(msgspec.Struct, frozen=True):
    id: int
    ruleset: str
    ruleset_version: int
    game: str
    title: str
    status: str
    private: bool
    options: dict[str, Any]
    seats: list[Seat]
    version: int
    owed: list[str]
    commitment: str
    head_hash: str
    seed: str | None
    created_at: str
    started_at: str | None
    ended_at: str | None
    outcome: dict[str, Any] | None
    fault: str
    take_back: dict[str, Any] | None = None
    clock_hours: int | None = None
    invitation: str = ""

    @property
    def my_seat(self) -> str | None:
        return next((seat.key for seat in self.seats if seat.you), None)


class Matches(msgspec.Struct, frozen=True):
    count: int
    next: str | None
    previous: str | None
    results: list[Match]


class View(msgspec.Struct, frozen=True):
    match: int
    version: int
    at: int
    seat: str | None
    view: dict[str, Any]


class Offer(msgspec.Struct, frozen=True):
    number: int
    action: Action
    notation: str
    words: str
    rule: str
    odds: str


class Decision(msgspec.Struct, frozen=True):
    version: int
    seat: str
    asked: bool
    kind: str
    prompt: str
    facts: dict[str, Any]
    window: bool
    actions: list[Offer]
    total: int
    matching: int


class OrdersResult(msgspec.Struct, frozen=True):
    version: int
    applied: int
    entries: list[int]
    lines: list[dict[str, Any]]
    refused: dict[str, Any] | None
    kept: list[str]


class Entry(msgspec.Struct, frozen=True):
    seq: int
    seat: str
    action: Action
    notation: str
    rolls: list[list[Any]]
    by: str
    why: str
    previous_hash: str
    hash: str
    news: list[str]
    at: str


class Entries(msgspec.Struct, frozen=True):
    version: int
    entries: list[Entry]


class Event(msgspec.Struct, frozen=True):
    """One event of a stream; heartbeats are not shown."""

    event: str
    id: str
    data: dict[str, Any]
