"""A flag that saves an order a look, and no index twice: a unique constraint begins with the same column."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Count

MATCH, USER, SEAT = "ledger.match", settings.AUTH_USER_MODEL, "ledger.seat"
CASCADE = django.db.models.deletion.CASCADE
TWICE = (
    "ledger_entry_match_id_b71526c1",
    "ledger_savedanswer_user_id_73cdb3e4",
    "ledger_seat_match_id_cd2974d7",
    "ledger_snapshot_match_id_84f1541f",
    "ledger_standingorder_seat_id_c76a4043",
    "ledger_webhook_user_id_ee369c97",
)


def fill(apps, schema_editor):
    Seat, Wish = apps.get_model("ledger", "Seat"), apps.get_model("ledger", "TakeBackRequest")
    armed = Seat.objects.filter(standing_orders__withdrawn_at=None, standing_orders__isnull=False)
    for pk, count in armed.annotate(count=Count("standing_orders")).values_list("pk", "count"):
        Seat.objects.filter(pk=pk).update(armed=count)
    # A request now holds the clocks, and by that is known to wait; older ones have to be asked anew.
    for wish in Wish.objects.filter(status="asked").select_related("match"):
        if "take-back" not in wish.match.clock_stops:
            Wish.objects.filter(pk=wish.pk).update(status="lapsed")


def unindexed(model, name, to, **options):
    return migrations.AlterField(model, name, models.ForeignKey(to, db_index=False, **options))


class Migration(migrations.Migration):
    dependencies = [("ledger", "0010_words_of_mail"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField("seat", "armed", models.PositiveSmallIntegerField(default=0)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            # By hand: SQLite would build the table of entries anew, without the triggers that guard it.
            database_operations=[migrations.RunSQL(f"DROP INDEX IF EXISTS {name}", migrations.RunSQL.noop) for name in TWICE],
            state_operations=[
                unindexed("entry", "match", MATCH, on_delete=django.db.models.deletion.PROTECT, related_name="entries"),
                unindexed("savedanswer", "user", USER, on_delete=CASCADE),
                unindexed("seat", "match", MATCH, on_delete=CASCADE, related_name="seats"),
                unindexed("snapshot", "match", MATCH, on_delete=CASCADE, related_name="snapshots"),
                unindexed("standingorder", "seat", SEAT, on_delete=CASCADE, related_name="standing_orders"),
                unindexed("webhook", "user", USER, on_delete=CASCADE, related_name="webhooks"),
            ],
        ),
    ]
