"""A match is a row; what happened in it is an append-only list of entries; all else follows from those."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models


class Match(models.Model):
    """One game between seats. `state` is a cache of what the entries give."""

    class Status(models.TextChoices):
        OPEN = "open"  # waiting for players
        PLAYING = "playing"
        OVER = "over"
        CANCELLED = "cancelled"

    ruleset = models.CharField(max_length=40)
    ruleset_version = models.PositiveIntegerField()
    options = models.JSONField(default=dict)
    title = models.CharField(max_length=120, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    private = models.BooleanField(default=False)
    clock_hours = models.PositiveIntegerField(null=True, blank=True)  # for each answer; None: no clock
    bot_seconds = models.PositiveSmallIntegerField(null=True, blank=True)  # of thinking; None: what the server gives
    bank_hours = models.PositiveIntegerField(default=0)  # for each seat and the whole match, beyond those
    clock_stops = models.JSONField(default=dict, blank=True)  # why all clocks stand still -> until when at most
    stops_end_at = models.DateTimeField(null=True, blank=True)  # the first of those
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="matches_opened")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    seed = models.CharField(max_length=64)  # secret until the match is over
    commitment = models.CharField(max_length=64)
    header = models.JSONField(default=dict)  # what was agreed at the start; its hash is the first link

    head_seq = models.IntegerField(default=-1)  # the version players name in If-Match
    head_hash = models.CharField(max_length=64, blank=True)
    state = models.BinaryField(default=b"")
    owed = models.JSONField(default=list)  # seats that owe an answer, for lists and sweeps
    owed_since = models.DateTimeField(null=True, blank=True)
    public_seen_seq = models.IntegerField(default=-1)  # the last entry a spectator was shown
    outcome = models.JSONField(null=True, blank=True)
    fault = models.TextField(blank=True)  # why play has stopped: a broken invariant, kept with its ledger

    class Meta:
        indexes = [
            models.Index(fields=["status", "-created_at"]),
            models.Index(fields=["status", "owed_since"]),
            models.Index(fields=["stops_end_at"], name="stops_due", condition=models.Q(stops_end_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"match {self.pk} ({self.ruleset})"


class Seat(models.Model):
    """A side of a match, held by a person or a bot."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    key = models.CharField(max_length=20)
    order = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="seats"
    )
    bot = models.CharField(max_length=40, blank=True)
    salt = models.CharField(max_length=200, blank=True)
    joined_at = models.DateTimeField(null=True, blank=True)
    seen_seq = models.IntegerField(default=-1)  # the last entry this seat was shown
    mailed_seq = models.IntegerField(default=-1)  # the last entry told to it by mail
    asked_since = models.DateTimeField(null=True, blank=True)  # its own clock: when its present question came
    # The rest of the clock, see games.ledger.timing. Times are seconds of counted time.
    clock_from = models.DateTimeField(null=True, blank=True)  # it runs since then; None: stands or waits for a notice
    clock_spent = models.PositiveIntegerField(default=0)  # of this question, before `clock_from`
    clock_extra = models.PositiveIntegerField(default=0)  # more time for this question (snooze)
    bank_left = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)  # when the clock answers, if it goes on like this
    remind_at = models.DateTimeField(null=True, blank=True)
    reminded = models.PositiveSmallIntegerField(default=0)  # reminders of this question that are done with
    snoozes = models.PositiveSmallIntegerField(default=0)  # in this match
    bounced_since = models.DateTimeField(null=True, blank=True)  # its mail comes back; None once it is seen
    auto_reply_at = models.DateTimeField(null=True, blank=True)  # its address answered by itself; not yet told
    deputy = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="deputy_of"
    )
    deputy_from = models.DateTimeField(null=True, blank=True)
    deputy_until = models.DateTimeField(null=True, blank=True)
    kept = models.JSONField(default=list)  # orders marked `then`, waiting for another seat's answer
    note = models.TextField(blank=True)
    muted = models.BooleanField(default=False)  # wants to hear nothing of what the others say
    link_key = models.PositiveIntegerField(default=1)  # raised to make old page links and reply addresses void
    armed = models.PositiveSmallIntegerField(default=0)  # its standing orders in force; none: nothing to look for

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "key"], name="one_seat_of_a_key")]
        indexes = [
            models.Index(fields=["due_at"], name="clock_due", condition=models.Q(due_at__isnull=False)),
            models.Index(fields=["remind_at"], name="reminder_due", condition=models.Q(remind_at__isnull=False)),
        ]
        ordering = ["order"]

    def __str__(self) -> str:
        return f"{self.key} of match {self.match_id}"


class Entry(models.Model):
    """One ledger line. The database refuses to change or delete it."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="entries", db_index=False)
    seq = models.IntegerField()
    seat = models.CharField(max_length=20, blank=True)
    action = models.JSONField()
    rolls = models.JSONField(default=list)  # [kind, value] in order; a kind ending in ? is secret until the end
    by = models.CharField(max_length=60)  # player, deputy, bot:<key>, standing:<n>, kept, clock, server
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    seal = models.CharField(max_length=32)  # keyed fingerprint of the state after this entry
    news = models.JSONField(default=list, encoder=DjangoJSONEncoder)  # [key, facts, to]: derived, not hashed
    why = models.CharField(max_length=300, blank=True)  # a bot's reason
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seq"], name="one_entry_of_a_number")]
        ordering = ["seq"]

    def __str__(self) -> str:
        return f"entry {self.seq} of match {self.match_id}"


class Snapshot(models.Model):
    """The state after an entry, so that nothing has to be replayed from the start."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="snapshots", db_index=False)
    seq = models.IntegerField()
    state = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seq"], name="one_snapshot_of_an_entry")]


class StandingOrder(models.Model):
    """An order that answers a decision while its owner is away. Only its seat ever sees it."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="standing_orders", db_index=False)
    number = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=400)
    rules = models.JSONField()  # kernel standing orders, parsed
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    fired = models.PositiveIntegerField(default=0)
    until_turn = models.PositiveSmallIntegerField(null=True, blank=True)  # the last turn it answers in
    expires_at = models.DateTimeField(null=True, blank=True)
    times = models.PositiveSmallIntegerField(null=True, blank=True)  # how often it answers at most

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "number"], name="one_standing_order_of_a_number")]
        ordering = ["number"]


class Claim(models.Model):
    """A player says that an entry breaks the rules; the position is kept as it was for whoever judges."""

    class Status(models.TextChoices):
        OPEN = "open"
        ANSWERED = "answered"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="claims")
    number = models.PositiveSmallIntegerField()  # how it is called in its match
    seat = models.CharField(max_length=20)
    entry = models.IntegerField()
    text = models.CharField(max_length=2000)
    before = models.BinaryField()  # the state before the entry
    after = models.BinaryField()  # and after it
    ruleset_version = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    answer = models.CharField(max_length=2000, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="one_claim_of_a_number")]
        ordering = ["pk"]


class TakeBackRequest(models.Model):
    """A wish to take back entries that somebody has learned from: the others must agree."""

    class Status(models.TextChoices):
        ASKED = "asked"
        GRANTED = "granted"
        REFUSED = "refused"
        LAPSED = "lapsed"  # the match moved on

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="take_back_requests")
    seat = models.CharField(max_length=20)
    count = models.PositiveIntegerField()
    asked_at_seq = models.IntegerField()
    reason = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ASKED)
    agreed = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)


class Outbox(models.Model):
    """Work for later, written in the transaction that caused it: nothing is sent before commit, nothing lost."""

    class Kind(models.TextChoices):
        BOT = "bot"
        MAIL = "mail"
        WEBHOOK = "webhook"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    topic = models.CharField(max_length=30)  # decision, result, opened, take-back, ...
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="outbox")
    seat = models.CharField(max_length=20, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True)
    seq = models.IntegerField(default=-1)  # the entry it speaks of
    payload = models.JSONField(default=dict)
    message_id = models.CharField(max_length=120, blank=True)  # made once, so that a retry repeats it
    created_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField()
    claimed_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)  # of a bot's job: since it last got on
    holder = models.CharField(max_length=80, blank=True)  # the worker that has, or last had, a bot's job
    beat_at = models.DateTimeField(null=True, blank=True)  # when that worker last said that it is at it
    failures = models.PositiveSmallIntegerField(default=0)  # of the bot at its present decision
    alone = models.BooleanField(default=False)  # only bots are at the table: people's matches come first
    done_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=10, default="waiting")  # waiting, sent, skipped, failed

    class Meta:
        indexes = [models.Index(fields=["state", "kind", "due_at"])]
        verbose_name_plural = "outbox"

    def __str__(self) -> str:
        return f"{self.kind} {self.topic} #{self.pk}"


class Delivery(models.Model):
    """One attempt to deliver an outbox row; its owner may read it."""

    outbox = models.ForeignKey(Outbox, on_delete=models.CASCADE, related_name="deliveries")
    at = models.DateTimeField(auto_now_add=True)
    ok = models.BooleanField()
    detail = models.CharField(max_length=300, blank=True)


class BotFault(models.Model):
    """A bot that gave no usable answer: for the host, who reads it with `manage.py bots_report`."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="bot_faults")
    seat = models.CharField(max_length=20)
    bot = models.CharField(max_length=40)
    seq = models.IntegerField()  # the version the bot was looking at
    kind = models.CharField(max_length=10)  # time, memory, raised, garbage, illegal, killed, ended, lost
    detail = models.CharField(max_length=300, blank=True)
    holder = models.CharField(max_length=80, blank=True)  # the worker it happened on
    answered = models.BooleanField(default=False)  # True: given up, the simple bot answered
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["match", "seat", "at"]), models.Index(fields=["at"])]

    def __str__(self) -> str:
        return f"{self.kind} of {self.bot} at entry {self.seq} of match {self.match_id}"


class Webhook(models.Model):
    """An address of a person's program that is called when something happens."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks", db_index=False
    )
    number = models.PositiveIntegerField()  # how its owner names it
    url = models.CharField(max_length=500)
    topics = models.JSONField(default=list)  # empty: all
    nonce = models.CharField(max_length=32)  # with the server's key and `generation` gives the secret
    generation = models.PositiveIntegerField(default=1)
    rotated_at = models.DateTimeField(null=True, blank=True)  # for a day the older secret signs too
    created_at = models.DateTimeField(auto_now_add=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    disabled_why = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "number"], name="one_webhook_of_a_number")]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"webhook {self.number} of user {self.user_id}"


class SavedAnswer(models.Model):
    """The answer given for an idempotency key: the same request gets it again, byte for byte."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_index=False)
    key = models.CharField(max_length=200)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.BinaryField()
    headers = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_of_a_key")]


class Invitation(models.Model):
    """A seat offered to somebody, who may be a stranger: in a match that waits, or in one that opens on yes."""

    class Status(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        CANCELLED = "cancelled"

    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations_sent")
    guest = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )  # None: known by address only
    named = models.CharField(max_length=260, blank=True)  # the name the host used; the address stays unsaid
    email = models.EmailField()
    ruleset = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    host_seat = models.CharField(max_length=20)
    guest_seat = models.CharField(max_length=20)
    host_salt = models.CharField(max_length=200, blank=True, default="")  # the host's, in a match that opens on yes
    words = models.TextField(blank=True)
    clock_hours = models.PositiveIntegerField(null=True, blank=True)
    bank_hours = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    match_id = models.BigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()


class Refusal(models.Model):
    """An address that wants no invitations, as a keyed fingerprint."""

    fingerprint = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)


class Saying(models.Model):
    """What a player says to the others; read over REST, told with their next mail."""

    match_id = models.BigIntegerField()
    seat = models.CharField(max_length=20)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    told = models.JSONField(default=list)  # seats that have been told

    class Meta:
        indexes = [models.Index(fields=["match_id", "created_at"], name="saying_of_match")]


class MailAddress(models.Model):
    """A further address of a person, and whether mail to an address (the main one too) comes back."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_addresses")
    email = models.EmailField()
    asked_at = models.DateTimeField(null=True, blank=True)  # when it was last asked to prove itself
    verified_at = models.DateTimeField(null=True, blank=True)
    bounced_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "email"], name="one_address_of_a_person"),
            models.UniqueConstraint(
                fields=["email"], condition=models.Q(verified_at__isnull=False), name="one_person_of_a_proved_address"
            ),
        ]

    def __str__(self) -> str:
        return f"address {self.pk} of user {self.user_id}"
