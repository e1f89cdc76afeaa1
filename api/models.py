"""Tokens: hashed at rest, with a scope, an end, and for bots a single seat."""

from django.db import models
from knox.models import AbstractAuthToken


class Token(AbstractAuthToken):  # type: ignore[misc]
    """What lets a program act for a person. The secret itself is shown once and not kept."""

    class Scope(models.TextChoices):
        READ = "read"  # look
        PLAY = "play"  # look and play
        ADMIN = "admin"  # all that the person may do, also tokens and webhooks

    number = models.PositiveIntegerField(default=0)  # how its owner names it
    name = models.CharField(max_length=60, blank=True)
    scope = models.CharField(max_length=10, choices=Scope.choices, default=Scope.ADMIN)
    match = models.BigIntegerField(null=True, blank=True)  # bound to one match and seat
    seat = models.CharField(max_length=20, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["user", "number"])]

    def __str__(self) -> str:
        return f"token {self.number} of user {self.user_id}"
