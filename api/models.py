"""Tokens: hashed at rest, with a scope, an end, and for bots a single seat."""

from django.conf import settings
from django.db import models


class Token(models.Model):
    """What lets a program act for a person. The secret itself is shown once and not kept."""

    class Scope(models.TextChoices):
        READ = "read"  # look
        PLAY = "play"  # look and play
        ADMIN = "admin"  # all that the person may do, also tokens and webhooks

    digest = models.CharField(max_length=64, primary_key=True)  # SHA-256 of the secret
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
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
