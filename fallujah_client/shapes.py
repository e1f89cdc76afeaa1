"""What the API answers, as types. Each is checked against the schema by a test."""

from typing import Any

import msgspec

Action = list[str | int]
Value = str | int | bool


class Seat(msgspec.Struct, frozen=True):
    key: str
    name: str
    player: str | None
    bot: str | None
    you: bool
    due_at: str | None = None
    bank_left: int | None = None


class Outcome(msgspec.Struct, frozen=True):
    winner: str | None
    result: str
    score: dict[str, int]
    words: str


class TakeBackAsked(msgspec.Struct, frozen=True):
    seat: str
    count: int
    reason: str


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
    outcome: Outcome | None
    fault: str
    take_back: TakeBackAsked | None = None
    clock_hours: int | None = None
    bank_hours: int = 0
    clock_stopped: list[str] = []
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


class Group(msgspec.Struct, frozen=True):
    stem: str
    count: int
    first: int


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
    groups: list[Group] = []


class OrderLine(msgspec.Struct, frozen=True):
    """What became of one order."""

    text: str
    status: str
    actions: list[Action] = []
    why: str = ""
    code: str = ""
    rule: str = ""
    nearest: list[str] = []


class OrdersResult(msgspec.Struct, frozen=True):
    version: int
    applied: int
    entries: list[int]
    lines: list[OrderLine]
    refused: OrderLine | None
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


class TakeBack(msgspec.Struct, frozen=True):
    granted: bool
    version: int
    entries: list[int] = []
    asked: list[str] = []
    learned: list[str] = []


class StandingOrder(msgspec.Struct, frozen=True):
    number: int
    text: str
    fired: int


class StandingOrders(msgspec.Struct, frozen=True):
    version: int
    standing_orders: list[StandingOrder]


class Rehearsed(msgspec.Struct, frozen=True):
    entry: int
    would: str
    did: str


class Rehearsal(msgspec.Struct, frozen=True):
    asked: int
    answered: int
    same: int
    examples: list[Rehearsed]
    words: str


class Faces(msgspec.Struct, frozen=True):
    rolls: int
    faces: list[int]
    chi_square: float
    degrees: int


class Dice(msgspec.Struct, frozen=True):
    commitment: str
    head_hash: str
    dice: dict[str, dict[str, Faces]]


class Delivery(msgspec.Struct, frozen=True):
    notice: int
    topic: str
    entry: int
    at: str
    ok: bool
    detail: str


class Deliveries(msgspec.Struct, frozen=True):
    deliveries: list[Delivery]


class Event(msgspec.Struct, frozen=True):
    """One event of a stream; heartbeats are not shown."""

    event: str
    id: str
    data: dict[str, Any]


# --- the server, people, games -------------------------------------------------------------------------------


class Health(msgspec.Struct, frozen=True):
    status: str
    database: str


class Version(msgspec.Struct, frozen=True):
    server: str
    api: str
    rulesets: dict[str, int]


class Person(msgspec.Struct, frozen=True):
    username: str
    email: str
    email_verified: bool
    wants_mail: bool


class Vacation(msgspec.Struct, frozen=True):
    first: str
    last: str


class Settings(msgspec.Struct, frozen=True):
    zone: str
    quiet: str | None
    days_off: list[str]
    digest_hour: int | None
    reminders: bool
    acks: str
    subjects: str
    vacations: list[Vacation]
    vacation_days_left: int


class Me(Person, frozen=True):
    settings: Settings


class Address(msgspec.Struct, frozen=True):
    email: str
    main: bool
    proved: bool
    bounced_at: str | None


class Addresses(msgspec.Struct, frozen=True):
    addresses: list[Address]


class Login(msgspec.Struct, frozen=True):
    token: str
    number: int
    scope: str
    expires_at: str | None
    person: Person


class Token(msgspec.Struct, frozen=True):
    number: int
    name: str
    scope: str
    match: int | None
    seat: str | None
    created_at: str
    expires_at: str | None
    used_at: str | None


class TokenMade(Token, frozen=True):
    token: str


class Tokens(msgspec.Struct, frozen=True):
    tokens: list[Token]


class Named(msgspec.Struct, frozen=True):
    key: str
    name: str


class Option(msgspec.Struct, frozen=True):
    key: str
    words: str
    choices: list[Value]
    default: Value
    default_for_bots: bool


class Bot(msgspec.Struct, frozen=True):
    key: str
    words: str
    seats: list[str]


class Ruleset(msgspec.Struct, frozen=True):
    key: str
    title: str
    tag: str
    version: int
    seats: list[Named]
    options: list[Option]
    bots: list[Bot]
    verbs: list[str]


class Rule(msgspec.Struct, frozen=True):
    step: str
    decision: bool
    words: str


class Rules(msgspec.Struct, frozen=True):
    key: str
    title: str
    markdown: str
    rules: list[Rule]


class Place(msgspec.Struct, frozen=True):
    id: str
    name: str
    kind: str
    x: float | None
    y: float | None
    facts: dict[str, Any]


class Link(msgspec.Struct, frozen=True):
    a: str
    b: str
    kind: str


class Piece(msgspec.Struct, frozen=True):
    id: str
    name: str
    side: str
    kind: str
    facts: dict[str, Any]


class BoardData(msgspec.Struct, frozen=True):
    key: str
    version: int
    places: list[Place]
    links: list[Link]
    pieces: list[Piece]


class Form(msgspec.Struct, frozen=True):
    verb: str
    form: str
    words: str
    short: bool


class Notation(msgspec.Struct, frozen=True):
    key: str
    forms: list[Form]
    decisions: dict[str, str]
    standing_defaults: dict[str, list[str]]


# --- the lobby, talk and notes -------------------------------------------------------------------------------


class Invitation(msgspec.Struct, frozen=True):
    number: int
    match: int | None
    ruleset: str
    game: str
    host: str
    to: str
    yours: bool
    seat: str
    words: str
    status: str
    created_at: str
    expires_at: str


class Invitations(msgspec.Struct, frozen=True):
    invitations: list[Invitation]


class FullSeat(Seat, frozen=True, kw_only=True):
    free: bool
    owed: bool
    bots: list[str]


class Seats(msgspec.Struct, frozen=True):
    version: int
    seats: list[FullSeat]


class Saying(msgspec.Struct, frozen=True):
    number: int
    seat: str
    player: str | None
    text: str
    at: str


class Talk(msgspec.Struct, frozen=True):
    messages: list[Saying]


class Note(msgspec.Struct, frozen=True):
    version: int
    text: str


# --- webhooks ------------------------------------------------------------------------------------------------


class Webhook(msgspec.Struct, frozen=True):
    number: int
    url: str
    topics: list[str]
    public_key: str
    created_at: str
    disabled_at: str | None
    disabled_why: str


class WebhookSecret(Webhook, frozen=True):
    secret: str


class Webhooks(msgspec.Struct, frozen=True):
    webhooks: list[Webhook]
    topics: list[str]


class CallMade(msgspec.Struct, frozen=True):
    call: int


class Attempt(msgspec.Struct, frozen=True):
    at: str
    ok: bool
    detail: str


class Call(msgspec.Struct, frozen=True):
    call: int
    id: str
    topic: str
    match: int | None
    state: str
    next_attempt_at: str | None
    attempts: list[Attempt]


class Calls(msgspec.Struct, frozen=True):
    calls: list[Call]
