"""A person's time and wishes, on the wire."""

from typing import Any

from rest_framework import serializers

from api.shapes import PersonOut, Shape, Words

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


class VacationShape(Shape[Any]):
    first = serializers.DateField(help_text="The first day, by your own calendar.")
    last = serializers.DateField(help_text="The last day.")


class SettingsOut(Shape[Any]):
    zone = Words(help_text="An IANA time zone; times in your mails are in it.")
    quiet = Words(
        allow_null=True, help_text="Hours that do not count and in which no notice comes, such as 22:00-07:00."
    )
    days_off = serializers.ListField(child=serializers.ChoiceField(DAYS), help_text="Days that do not count.")
    digest_hour = serializers.IntegerField(allow_null=True, help_text="One mail a day at this hour, instead of many.")
    reminders = serializers.BooleanField()
    acks = serializers.ChoiceField(["all", "errors"])
    subjects = serializers.ChoiceField(["telling", "fixed"])
    vacations = VacationShape(many=True, help_text="That are not over.")
    vacation_days_left = serializers.IntegerField(help_text="Of this year.")


class MeOut(PersonOut):
    settings = SettingsOut()


class MeIn(Shape[Any]):
    zone = Words(max_length=64, required=False)
    quiet = Words(max_length=20, required=False, allow_null=True, allow_blank=True)
    days_off = serializers.ListField(child=serializers.ChoiceField(DAYS), max_length=7, required=False)
    digest_hour = serializers.IntegerField(min_value=0, max_value=23, required=False, allow_null=True)
    reminders = serializers.BooleanField(required=False)
    acks = serializers.ChoiceField(["all", "errors"], required=False)
    subjects = serializers.ChoiceField(["telling", "fixed"], required=False)
    wants_mail = serializers.BooleanField(required=False)
    vacation = VacationShape(required=False, allow_null=True, help_text="Adds one; null ends or calls off what is set.")
