"""People who play."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """One person. Mail goes to `email` once it is verified, unless they asked for silence."""

    email = models.EmailField(unique=True)
    email_verified_at = models.DateTimeField(null=True, blank=True)
    wants_mail = models.BooleanField(default=True)

    # Their time; games.ledger.personal checks and changes it, games.ledger.calendar counts it.
    zone = models.CharField(max_length=64, default="UTC")
    quiet = models.CharField(max_length=11, blank=True)  # 22:00-07:00
    days_off = models.CharField(max_length=7, blank=True)  # digits, Monday is 0
    away = models.JSONField(default=list, blank=True)  # vacations: [from, to] as instants
    calendar_changes = models.JSONField(default=list, blank=True)  # when it was changed lately

    digest_hour = models.PositiveSmallIntegerField(null=True, blank=True)
    digest_at = models.DateTimeField(null=True, blank=True)  # the next one
    reminders = models.BooleanField(default=True)
    acks = models.CharField(max_length=6, default="all")  # all, errors
    subjects = models.CharField(max_length=7, default="telling")  # telling, fixed
    link_key = models.PositiveIntegerField(default=1)  # raised to make old digest addresses void

    class Meta(AbstractUser.Meta):  # type: ignore[name-defined,misc]
        indexes = [
            models.Index(fields=["digest_at"], name="digest_due", condition=models.Q(digest_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.username
