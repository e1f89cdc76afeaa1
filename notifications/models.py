"""Mail that came in, and what is kept to answer `ok`. Invitations and sayings are the ledger's."""

from django.conf import settings
from django.db import models

from games.ledger.invitations import Invitation, Refusal
from games.ledger.talk import Saying

__all__ = ["InboundMail", "Invitation", "Refusal", "Repair", "Saying"]


class InboundMail(models.Model):
    """One mail as it arrived. It is stored before the sender is told it was taken, and read by a worker."""

    message_id = models.CharField(max_length=260)
    door = models.CharField(max_length=120)  # the address it came to, or `play`
    sender = models.CharField(max_length=260, blank=True)
    raw = models.BinaryField()  # encrypted, see inbound/sealed.py; empty after thirty days
    origin = models.JSONField(default=dict)  # how it came in: written by us, never by its sender
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
    read_at = models.DateTimeField(null=True, blank=True)
    auth = models.JSONField(default=dict)  # what was checked of its sender, and why it was believed or not
    signature = models.CharField(max_length=64, blank=True)  # fingerprint of the signature that proved it

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message_id", "door"], name="one_mail_of_an_id_and_door")]
        indexes = [
            models.Index(fields=["state", "due_at"], name="inbound_due"),
            models.Index(fields=["sender", "received_at"], name="inbound_sender"),
            models.Index(fields=["user", "read_at"], name="inbound_read"),
            models.Index(fields=["signature"], name="inbound_signature"),
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


class DeputyOffer(models.Model):
    """Somebody asked by a player to order for their seat for some days; they must accept by mail."""

    class Status(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        CANCELLED = "cancelled"

    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deputies_asked")
    email = models.EmailField()
    match_id = models.BigIntegerField()
    seat = models.CharField(max_length=20)
    first = models.DateTimeField()
    until = models.DateTimeField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)


class Digest(models.Model):
    """One mail about several matches, so that a reply to it is understood by what it printed."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="digests")
    outbox_id = models.BigIntegerField(unique=True)  # a retry is the same digest
    items = models.JSONField()  # match -> seat, entry its numbers were drawn from, repair that `ok` means
    created_at = models.DateTimeField(auto_now_add=True)
