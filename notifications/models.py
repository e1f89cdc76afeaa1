"""Mail that came in, what is kept to answer `ok`, invitations, and what players say to each other."""

from django.conf import settings
from django.db import models


class InboundMail(models.Model):
    """One mail as it arrived. It is stored before the sender is told it was taken, and read by a worker."""

    message_id = models.CharField(max_length=260)
    door = models.CharField(max_length=120)  # the address it came to, or `play`
    sender = models.CharField(max_length=260, blank=True)
    raw = models.BinaryField()
    recipients = models.JSONField(default=list)
    received_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField()
    claimed_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    copies = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=12, default="received")  # received, done, doubtful, failed
    kind = models.CharField(max_length=12, blank=True)  # person, auto, bounce, stranger, ...
    detail = models.CharField(max_length=300, blank=True)
    match_id = models.BigIntegerField(null=True, blank=True)
    seat = models.CharField(max_length=20, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True)
    text_hash = models.CharField(max_length=64, blank=True)
    confirmed = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message_id", "door"], name="one_mail_of_an_id_and_door")]
        indexes = [
            models.Index(fields=["state", "due_at"], name="inbound_due"),
            models.Index(fields=["sender", "received_at"], name="inbound_sender"),
        ]


class Repair(models.Model):
    """Orders made ready for an answer of one word: `ok`, `ok 2`, `keep`, `yes`."""

    match_id = models.BigIntegerField()
    seat = models.CharField(max_length=20)
    choices = models.JSONField()  # lists of order texts; `ok` is the first
    word = models.CharField(max_length=10, default="ok")
    version = models.IntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)


class Invitation(models.Model):
    """A match offered to somebody by mail, who may be a stranger."""

    class Status(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        CANCELLED = "cancelled"

    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations_sent")
    email = models.EmailField()
    ruleset = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    host_seat = models.CharField(max_length=20)
    guest_seat = models.CharField(max_length=20)
    words = models.TextField(blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    match_id = models.BigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()


class Refusal(models.Model):
    """An address that wants no invitations, as a keyed fingerprint."""

    fingerprint = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)


class Saying(models.Model):
    """What a player says to the others; told with their next mail."""

    match_id = models.BigIntegerField()
    seat = models.CharField(max_length=20)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    told = models.JSONField(default=list)  # seats that have been told

    class Meta:
        indexes = [models.Index(fields=["match_id", "created_at"], name="saying_of_match")]
