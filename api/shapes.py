"""What is sent and what comes back, as the schema tells it. Requests are checked with these; answers are not."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

BIG = 2**31 - 1
BIG_ID = 10**18 - 1
Shape = serializers.Serializer


class Words(serializers.CharField):
    """A text as it was sent; services trim what they keep."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("trim_whitespace", False)
        super().__init__(**kwargs)


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]})
class ValueField(serializers.JSONField):
    """The value of an option."""


@extend_schema_field(
    {
        "type": "array",
        "minItems": 1,
        "items": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        "examples": [["attack", 2]],
    }
)
class ActionField(serializers.JSONField):
    """A verb and its words."""


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "maxLength": 20000, "description": "Orders as text, one a line."},
            {
                "type": "array",
                "minItems": 1,
                "maxItems": 400,
                "items": {
                    "oneOf": [
                        {"type": "string"},
                        {"type": "array", "items": {"oneOf": [{"type": "string"}, {"type": "integer"}]}},
                    ]
                },
                "description": "Order texts and actions, in turn.",
            },
        ]
    }
)
class OrdersField(serializers.JSONField):
    """A text, or a list of texts and actions."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str):
            if len(data) > 20_000:
                raise serializers.ValidationError("Orders are at most 20,000 characters.")
            return data
        if not isinstance(data, list) or not data:
            raise serializers.ValidationError("Send a text, or a list of texts and actions, not an empty one.")
        if len(data) > 400:
            raise serializers.ValidationError("At most 400 orders at once.")
        if sum(len(item) for item in data if isinstance(item, str)) > 20_000:
            raise serializers.ValidationError("Orders are at most 20,000 characters.")
        return data


# --- people ----------------------------------------------------------------------------------------------


class RegisterIn(Shape[Any]):
    username = serializers.RegexField(
        r"^[A-Za-z0-9][A-Za-z0-9_.-]{2,39}\Z", trim_whitespace=False, help_text="3 to 40 letters, digits, _ . -"
    )
    email = Words(max_length=200, help_text="A mail address; a mail asks to prove it.")
    password = Words(max_length=200)


class LoginIn(Shape[Any]):
    username = Words(max_length=150)
    password = Words(max_length=200)


class PersonOut(Shape[Any]):
    username = Words()
    email = Words()
    email_verified = serializers.BooleanField()
    wants_mail = serializers.BooleanField()


class AddressIn(Shape[Any]):
    email = Words(max_length=254, help_text="A mail address.")


class AddressOut(Shape[Any]):
    email = Words()
    main = serializers.BooleanField(help_text="Mail goes here first.")
    proved = serializers.BooleanField(help_text="Orders by mail count from it.")
    bounced_at = serializers.DateTimeField(allow_null=True, help_text="When mail to it came back for good.")


class AddressesOut(Shape[Any]):
    addresses = AddressOut(many=True)


class LoginOut(Shape[Any]):
    token = Words(help_text="Shown once; send it as `Authorization: Token ...`.")
    number = serializers.IntegerField()
    scope = Words()
    expires_at = serializers.DateTimeField(allow_null=True)
    person = PersonOut()


class TokenIn(Shape[Any]):
    name = Words(max_length=60, required=False, allow_blank=True, default="")
    scope = serializers.ChoiceField(["read", "play", "admin"], required=False, default="play")
    days = serializers.IntegerField(min_value=1, max_value=3650, required=False, allow_null=True, default=None)
    match = serializers.IntegerField(min_value=1, max_value=2**62, required=False, allow_null=True, default=None)


class TokenOut(Shape[Any]):
    number = serializers.IntegerField()
    name = Words()
    scope = Words()
    match = serializers.IntegerField(allow_null=True, help_text="Bound to your seat of this match.")
    seat = Words(allow_null=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    used_at = serializers.DateTimeField(allow_null=True, help_text="To five minutes.")


class TokenMadeOut(TokenOut):
    token = Words(help_text="Shown once.")


class TokensOut(Shape[Any]):
    tokens = TokenOut(many=True)


# --- games -----------------------------------------------------------------------------------------------


class NamedOut(Shape[Any]):
    key = Words()
    name = Words()


class OptionOut(Shape[Any]):
    key = Words()
    words = Words()
    choices = serializers.ListField(child=ValueField())
    default = ValueField()
    default_for_bots = serializers.BooleanField()


class BotOut(Shape[Any]):
    key = Words()
    words = Words()
    seats = serializers.ListField(child=Words())


class RulesetOut(Shape[Any]):
    key = Words()
    title = Words()
    tag = Words()
    version = serializers.IntegerField()
    seats = NamedOut(many=True)
    options = OptionOut(many=True)
    bots = BotOut(many=True)
    verbs = serializers.ListField(child=Words())


# --- matches ---------------------------------------------------------------------------------------------


class MatchIn(Shape[Any]):
    ruleset = Words(max_length=40)
    options = serializers.DictField(child=ValueField(), required=False, default=dict)
    seat = Words(
        max_length=20, required=False, allow_null=True, default=None, help_text="Your seat; the first free one."
    )
    bots = serializers.DictField(child=Words(max_length=40), required=False, default=dict, help_text="Seat to bot.")
    title = Words(max_length=120, required=False, allow_blank=True, default="")
    private = serializers.BooleanField(required=False, default=False)
    clock_hours = serializers.IntegerField(
        min_value=1,
        max_value=1440,
        required=False,
        allow_null=True,
        default=None,
        help_text="Hours for each answer; after them (and the bank) the clock answers with the least the rules allow.",
    )
    bank_hours = serializers.IntegerField(
        min_value=0,
        max_value=1440,
        required=False,
        default=0,
        help_text="Hours each seat may take beyond those, in the whole match.",
    )
    bot_seconds = serializers.IntegerField(
        min_value=1,
        max_value=3600,
        required=False,
        allow_null=True,
        default=None,
        help_text="Processor time of a bot for one decision; the server has an upper limit and a usual figure.",
    )
    salt = Words(max_length=200, required=False, allow_blank=True, default="", help_text="Your part in the dice.")


class MatchesQuery(Shape[Any]):
    scope = serializers.ChoiceField(["mine", "open", "public"], required=False, default="mine")
    status = serializers.ChoiceField(["open", "playing", "over", "cancelled"], required=False, default="")
    ruleset = Words(max_length=40, required=False, allow_blank=True, default="")
    asked = serializers.BooleanField(required=False, default=False, help_text="Only those that wait for your answer.")
    opponent = Words(max_length=150, required=False, allow_blank=True, default="", help_text="Somebody who plays.")
    title = Words(max_length=120, required=False, allow_blank=True, default="", help_text="A part of the title.")
    created_after = serializers.DateTimeField(required=False, default=None)
    created_before = serializers.DateTimeField(required=False, default=None)
    limit = serializers.IntegerField(min_value=1, max_value=200, required=False, default=50)
    offset = serializers.IntegerField(min_value=0, max_value=BIG, required=False, default=0)
    before = serializers.IntegerField(
        min_value=0, max_value=BIG_ID, required=False, default=None, help_text="Only ids below; `next` uses it."
    )
    after = serializers.IntegerField(
        min_value=0, max_value=BIG_ID, required=False, default=None, help_text="Only ids above; `previous` uses it."
    )


class SeatOut(Shape[Any]):
    key = Words()
    name = Words()
    player = Words(allow_null=True)
    bot = Words(allow_null=True)
    you = serializers.BooleanField()
    due_at = serializers.DateTimeField(allow_null=True, help_text="Until when it must answer, if a clock runs.")
    bank_left = serializers.IntegerField(allow_null=True, help_text="Seconds in its bank, if there is a clock.")


class OutcomeOut(Shape[Any]):
    winner = Words(allow_null=True)
    result = Words()
    score = serializers.DictField(child=serializers.IntegerField())
    words = Words()


class TakeBackAskedOut(Shape[Any]):
    seat = Words()
    count = serializers.IntegerField()
    reason = Words()


class MatchOut(Shape[Any]):
    id = serializers.IntegerField()
    ruleset = Words()
    ruleset_version = serializers.IntegerField()
    game = Words()
    title = Words()
    status = serializers.ChoiceField(["open", "playing", "over", "cancelled"])
    private = serializers.BooleanField()
    clock_hours = serializers.IntegerField(allow_null=True)
    bank_hours = serializers.IntegerField()
    clock_stopped = serializers.ListField(child=Words(), help_text="Why all clocks stand still, if they do.")
    options = serializers.DictField(child=ValueField())
    seats = SeatOut(many=True)
    version = serializers.IntegerField(help_text="The last entry; -1 before the start. Name it in If-Match.")
    owed = serializers.ListField(child=Words(), help_text="Seats that owe an answer.")
    commitment = Words(help_text="SHA-256 of the secret seed of all chance.")
    head_hash = Words()
    seed = Words(allow_null=True, help_text="Revealed when the match is over.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    outcome = OutcomeOut(allow_null=True)
    fault = Words()


class MatchFullOut(MatchOut):
    take_back = TakeBackAskedOut(allow_null=True, help_text="A take-back that somebody asks for.")
    invitation = Words(required=False, help_text="For those in it: lets others join a private match.")


class MatchesOut(Shape[Any]):
    count = serializers.IntegerField()
    next = Words(allow_null=True)
    previous = Words(allow_null=True)
    results = MatchOut(many=True)


class JoinIn(Shape[Any]):
    seat = Words(max_length=20, required=False, allow_null=True, default=None)
    salt = Words(max_length=200, required=False, allow_blank=True, default="")
    invitation = Words(max_length=200, required=False, allow_blank=True, default="")


# --- play ------------------------------------------------------------------------------------------------


class ViewQuery(Shape[Any]):
    seat = Words(
        max_length=20,
        required=False,
        allow_blank=True,
        default="",
        help_text="Your own, or `spectator`; any at the end.",
    )
    at = serializers.IntegerField(min_value=0, max_value=BIG, required=False, default=None, help_text="After entry.")


class ViewOut(Shape[Any]):
    match = serializers.IntegerField()
    version = serializers.IntegerField()
    at = serializers.IntegerField()
    seat = Words(allow_null=True, help_text="null: as a spectator sees it.")
    view = serializers.DictField(help_text="In the words of the ruleset.")


class DecisionQuery(Shape[Any]):
    verb = Words(max_length=40, required=False, allow_blank=True, default="")
    prefix = Words(max_length=200, required=False, allow_blank=True, default="", help_text="How the notation begins.")
    group = serializers.ChoiceField(
        ["verb", "stem"],
        required=False,
        default="",
        help_text="Count the fitting actions by verb, or by all but the last word.",
    )
    limit = serializers.IntegerField(min_value=0, max_value=5000, required=False, default=1000)
    offset = serializers.IntegerField(min_value=0, max_value=BIG, required=False, default=0)


class OfferOut(Shape[Any]):
    number = serializers.IntegerField()
    action = ActionField()
    notation = Words()
    words = Words()
    rule = Words()
    odds = Words()


class GroupOut(Shape[Any]):
    stem = Words()
    count = serializers.IntegerField()
    first = serializers.IntegerField(help_text="The number of the first of them.")


class DecisionOut(Shape[Any]):
    version = serializers.IntegerField()
    seat = Words()
    asked = serializers.BooleanField(help_text="Whether you owe an answer.")
    kind = Words()
    prompt = Words()
    facts = serializers.DictField(child=ValueField())
    window = serializers.BooleanField(help_text="An interrupt of somebody else's turn.")
    actions = OfferOut(many=True)
    total = serializers.IntegerField(help_text="How many legal actions there are.")
    matching = serializers.IntegerField(help_text="How many of them fit `verb` and `prefix`.")
    groups = GroupOut(many=True, help_text="With `group=`: the fitting ones that begin alike.")


class OrdersIn(Shape[Any]):
    orders = OrdersField()
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Rehearse with other dice.")
    all_or_nothing = serializers.BooleanField(required=False, default=False)


class LineOut(Shape[Any]):
    text = Words()
    status = Words()
    actions = serializers.ListField(child=ActionField(), required=False)
    why = Words(required=False)
    code = Words(required=False)
    rule = Words(required=False)
    nearest = serializers.ListField(child=Words(), required=False)


class OrdersOut(Shape[Any]):
    version = serializers.IntegerField()
    applied = serializers.IntegerField()
    entries = serializers.ListField(child=serializers.IntegerField())
    lines = LineOut(many=True)
    refused = LineOut(allow_null=True)
    kept = serializers.ListField(child=Words())


class EntriesQuery(Shape[Any]):
    after = serializers.IntegerField(min_value=-1, max_value=BIG, required=False, default=-1)
    limit = serializers.IntegerField(min_value=1, max_value=1000, required=False, default=200)
    seat = Words(max_length=20, required=False, allow_blank=True, default="")


@extend_schema_field(
    {
        "type": "array",
        "items": {
            "type": "array",
            "prefixItems": [{"type": "string"}, {"type": ["integer", "null"]}],
            "items": False,
        },
        "description": "Kind and value; a secret draw has no value until the end.",
    }
)
class RollsField(serializers.JSONField):
    """What was rolled and drawn."""


class EntryOut(Shape[Any]):
    seq = serializers.IntegerField()
    seat = Words()
    action = ActionField()
    notation = Words()
    rolls = RollsField()
    by = Words()
    why = Words()
    previous_hash = Words()
    hash = Words()
    news = serializers.ListField(child=Words())
    at = serializers.DateTimeField()


class EntriesOut(Shape[Any]):
    version = serializers.IntegerField()
    entries = EntryOut(many=True)


class StreamQuery(Shape[Any]):
    after = serializers.IntegerField(min_value=-1, max_value=BIG, required=False, default=-1)
    seat = Words(max_length=20, required=False, allow_blank=True, default="")
    talk = serializers.IntegerField(
        min_value=0,
        max_value=BIG_ID,
        required=False,
        default=None,
        help_text="The last message you have; else new ones.",
    )
    form = serializers.ChoiceField(["sse", "ndjson"], required=False, default="sse")


class AllStreamQuery(Shape[Any]):
    form = serializers.ChoiceField(["sse", "ndjson"], required=False, default="sse")


class TakeBackIn(Shape[Any]):
    count = serializers.IntegerField(min_value=1, max_value=1000, required=False, default=1)
    reason = Words(max_length=300, required=False, allow_blank=True, default="")


class TakeBackAnswerIn(Shape[Any]):
    agree = serializers.BooleanField()


class TakeBackOut(Shape[Any]):
    granted = serializers.BooleanField()
    version = serializers.IntegerField()
    entries = serializers.ListField(child=serializers.IntegerField(), required=False)
    asked = serializers.ListField(child=Words(), required=False, help_text="Who must agree.")
    learned = serializers.ListField(child=Words(), required=False, help_text="Who has seen something.")


class StandingIn(Shape[Any]):
    text = Words(max_length=400)


class StandingOut(Shape[Any]):
    number = serializers.IntegerField()
    text = Words()
    fired = serializers.IntegerField()


class StandingListOut(Shape[Any]):
    version = serializers.IntegerField()
    standing_orders = StandingOut(many=True)


class RehearsalQuery(Shape[Any]):
    text = Words(max_length=400, help_text="The standing order to try.")


class RehearsedOut(Shape[Any]):
    entry = serializers.IntegerField()
    would = Words()
    did = Words()


class RehearsalOut(Shape[Any]):
    asked = serializers.IntegerField(help_text="Questions of that kind put to you so far.")
    answered = serializers.IntegerField(help_text="How many of them the order would have answered.")
    same = serializers.IntegerField(help_text="How many of those as you did yourself.")
    examples = RehearsedOut(many=True)
    words = Words()


class BoardQuery(ViewQuery):
    theme = serializers.ChoiceField(["light", "dark"], required=False, default="light")
    crop = serializers.BooleanField(required=False, default=False)


class PngQuery(BoardQuery):
    width = serializers.IntegerField(min_value=100, max_value=2400, required=False, default=1200)


class FacesOut(Shape[Any]):
    rolls = serializers.IntegerField()
    faces = serializers.ListField(child=serializers.IntegerField())
    chi_square = serializers.FloatField()
    degrees = serializers.IntegerField()


class DiceOut(Shape[Any]):
    commitment = Words()
    head_hash = Words()
    dice = serializers.DictField(child=serializers.DictField(child=FacesOut()), help_text="Kind of die, seat, counts.")


class DeliveryOut(Shape[Any]):
    notice = serializers.IntegerField()
    topic = Words()
    entry = serializers.IntegerField()
    at = serializers.DateTimeField()
    ok = serializers.BooleanField()
    detail = Words()


class DeliveriesOut(Shape[Any]):
    deliveries = DeliveryOut(many=True)


# --- webhooks --------------------------------------------------------------------------------------------


class WebhookIn(Shape[Any]):
    url = Words(max_length=500)
    topics = serializers.ListField(child=Words(max_length=30), max_length=20, required=False, default=list)


class WebhookOut(Shape[Any]):
    number = serializers.IntegerField()
    url = Words()
    topics = serializers.ListField(child=Words(), help_text="Empty: all.")
    public_key = Words(help_text="`whpk_..`: checks the v1a (ed25519) signature of every call.")
    created_at = serializers.DateTimeField()
    disabled_at = serializers.DateTimeField(allow_null=True)
    disabled_why = Words()


class WebhookSecretOut(WebhookOut):
    secret = Words(help_text="Signs every call (Standard Webhooks); shown when made or changed.")


class WebhooksOut(Shape[Any]):
    webhooks = WebhookOut(many=True)
    topics = serializers.ListField(child=Words())


class AttemptOut(Shape[Any]):
    at = serializers.DateTimeField()
    ok = serializers.BooleanField()
    detail = Words()


class CallOut(Shape[Any]):
    call = serializers.IntegerField()
    id = Words()
    topic = Words()
    match = serializers.IntegerField(allow_null=True)
    state = Words()
    next_attempt_at = serializers.DateTimeField(allow_null=True)
    attempts = AttemptOut(many=True)


class CallsOut(Shape[Any]):
    calls = CallOut(many=True)


class CallMadeOut(Shape[Any]):
    call = serializers.IntegerField()


# --- the server ------------------------------------------------------------------------------------------


class HealthOut(Shape[Any]):
    status = Words()
    database = Words()


class VersionOut(Shape[Any]):
    server = Words()
    api = Words()
    rulesets = serializers.DictField(child=serializers.IntegerField())


class FieldErrorOut(Shape[Any]):
    field = Words()
    detail = Words()


class ProblemOut(Shape[Any]):
    """RFC 9457."""

    type = serializers.CharField()
    title = Words()
    status = serializers.IntegerField()
    code = Words()
    detail = Words()
    rule = Words(required=False, help_text="The rule behind the refusal.")
    nearest = serializers.ListField(child=Words(), required=False, help_text="The nearest legal actions.")
    version = serializers.IntegerField(required=False, help_text="The present version of the match.")
    errors = FieldErrorOut(many=True, required=False)  # type: ignore[assignment]
    lines = LineOut(many=True, required=False)
