"""Values must have the type the schema names: `"5"` is not a number in JSON, and `yes` is no boolean in an address."""

import re
from typing import Any

from rest_framework import serializers

_DIGITS = re.compile(r"-?[0-9]{1,30}", re.ASCII)


def must_fit(shape: serializers.Serializer[Any], data: Any, *, in_words: bool = False) -> None:
    """Raise a ValidationError for the first of the given values that has another type."""
    if not isinstance(data, dict):
        return  # the serializer says so itself
    problems = {}
    if not in_words and (unknown := [name for name in data if name not in shape.fields]):
        known = ", ".join(shape.fields) or "none"
        problems[str(unknown[0])[:60]] = [f"There is no such field here; there are: {known}."]
    for name, field in shape.fields.items():
        if name in data and (why := _problem(field, data[name], in_words)):
            problems[name] = [why]
    if problems:
        raise serializers.ValidationError(problems)


def _problem(field: Any, value: Any, in_words: bool) -> str:
    if value is None:
        return ""  # allow_null is the field's own question
    if isinstance(field, serializers.BooleanField):
        good = value in ("true", "false") if in_words else isinstance(value, bool)
        return "" if good else "Must be true or false."
    if isinstance(field, serializers.IntegerField):
        if in_words:
            return "" if _DIGITS.fullmatch(value) else "Must be a whole number."
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        return "" if whole and not isinstance(value, bool) else "Must be a whole number."
    if isinstance(field, serializers.CharField | serializers.ChoiceField | serializers.DateTimeField):
        return "" if isinstance(value, str) else "Must be a text."
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        return next((why for item in value if (why := _problem(field.child, item, in_words))), "")
    if isinstance(field, serializers.DictField) and isinstance(value, dict):
        return next((why for item in value.values() if (why := _problem(field.child, item, in_words))), "")
    return ""
