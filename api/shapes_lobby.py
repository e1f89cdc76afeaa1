"""Shapes of what is around a match: invitations, seats, talk, notes, and the reference of a game."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.shapes import BIG_ID, SeatOut, Shape, Words
from games.ledger.talk import MOST_SAID

# --- people ----------------------------------------------------------------------------------------------


class PasswordIn(Shape[Any]):
    old_password = Words(max_length=200)
    new_password = Words(max_length=200)


# --- games -----------------------------------------------------------------------------------------------


class RuleOut(Shape[Any]):
    step = Words(help_text="The class that carries the rule out.")
    decision = serializers.BooleanField(help_text="Whether it waits for a seat.")
    words = Words(help_text="The rule number and its gist.")


class RulesOut(Shape[Any]):
    key = Words()
    title = Words()
    markdown = Words(help_text="The game's page: rules, our readings, options, orders, bots.")
    rules = RuleOut(many=True)


@extend_schema_field({"type": "object", "additionalProperties": {}})
class FactsField(serializers.JSONField):
    """Printed facts, in the words of the game."""


class PlaceOut(Shape[Any]):
    id = Words()
    name = Words()
    kind = Words()
    x = serializers.FloatField(allow_null=True)
    y = serializers.FloatField(allow_null=True)
    facts = FactsField()


class LinkOut(Shape[Any]):
    a = Words()
    b = Words()
    kind = Words()


class PieceOut(Shape[Any]):
    id = Words()
    name = Words()
    side = Words()
    kind = Words()
    facts = FactsField()


class BoardDataOut(Shape[Any]):
    key = Words()
    version = serializers.IntegerField()
    places = PlaceOut(many=True)
    links = LinkOut(many=True, help_text="Places that touch, each pair once.")
    pieces = PieceOut(many=True)


class FormOut(Shape[Any]):
    verb = Words()
    form = Words(help_text="How it is written; <..> stands for a word.")
    words = Words()
    short = serializers.BooleanField(help_text="A shorthand that stands for several orders.")


class NotationOut(Shape[Any]):
    key = Words()
    forms = FormOut(many=True)
    decisions = serializers.DictField(child=Words(), help_text="What standing orders may name.")
    standing_defaults = serializers.DictField(child=serializers.ListField(child=Words()))


# --- the lobby -------------------------------------------------------------------------------------------


class InviteIn(Shape[Any]):
    """Somebody here by name, or anybody by mail address."""

    username = Words(max_length=150, required=False)
    email = Words(max_length=200, required=False)
    seat = Words(max_length=20, required=False, allow_null=True, default=None, help_text="The first free one.")
    words = Words(max_length=MOST_SAID, required=False, allow_blank=True, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("username" in attrs) == ("email" in attrs):
            raise serializers.ValidationError("Name one of username and email.")
        return attrs


class InvitationOut(Shape[Any]):
    number = serializers.IntegerField()
    match = serializers.IntegerField(allow_null=True, help_text="null: it opens when you accept.")
    ruleset = Words()
    game = Words()
    host = Words()
    to = Words(help_text="As the host named you.")
    yours = serializers.BooleanField(help_text="Whether it is you who is invited.")
    seat = Words()
    words = Words()
    status = serializers.ChoiceField(["open", "accepted", "declined", "cancelled", "expired"])
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class InvitationsOut(Shape[Any]):
    invitations = InvitationOut(many=True)


class StartIn(Shape[Any]):
    bots = serializers.DictField(
        child=Words(max_length=40), required=False, default=dict, help_text="Seat to bot; others get the game's own."
    )


class SeatIn(Shape[Any]):
    bot = Words(max_length=40, allow_null=True, help_text="A bot of the game; null empties the seat again.")


class SeatFullOut(SeatOut):
    free = serializers.BooleanField()
    owed = serializers.BooleanField(help_text="Whether it owes an answer.")
    bots = serializers.ListField(child=Words(), help_text="Bots that can play it.")


class SeatsOut(Shape[Any]):
    version = serializers.IntegerField()
    seats = SeatFullOut(many=True)


# --- streams ---------------------------------------------------------------------------------------------


class EventOut(Shape[Any]):
    """One server-sent event."""

    id = Words(required=False)
    event = Words(required=False)
    data = Words(required=False, help_text="JSON.")  # type: ignore[assignment]
    retry = serializers.IntegerField(required=False)


# --- talk ------------------------------------------------------------------------------------------------


class TalkQuery(Shape[Any]):
    after = serializers.IntegerField(min_value=0, max_value=BIG_ID, required=False, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=500, required=False, default=200)


class SayIn(Shape[Any]):
    text = Words(max_length=MOST_SAID)


class SayingOut(Shape[Any]):
    number = serializers.IntegerField()
    seat = Words()
    player = Words(allow_null=True)
    text = Words()
    at = serializers.DateTimeField()


class TalkOut(Shape[Any]):
    messages = SayingOut(many=True)


class NoteIn(Shape[Any]):
    text = Words(max_length=MOST_SAID, allow_blank=True)


class NoteOut(Shape[Any]):
    version = serializers.IntegerField()
    text = Words()
