from datetime import timedelta

from django.db import migrations
from django.utils import timezone


def keep_running(apps, schema_editor):
    """Clocks that run already go on as they were: no bank, every hour counts."""
    Seat = apps.get_model("ledger", "Seat")
    rows = Seat.objects.filter(asked_since__isnull=False, bot="", match__clock_hours__isnull=False)
    for seat in rows.select_related("match"):
        seat.clock_from = seat.asked_since
        seat.due_at = seat.asked_since + timedelta(hours=seat.match.clock_hours)
        seat.save(update_fields=["clock_from", "due_at"])
    hold_for_requests(apps)


def hold_for_requests(apps):
    """A take-back that is asked holds the clocks, from now on for twelve hours at most."""
    now = timezone.now()
    until = now + timedelta(hours=12)
    for request in apps.get_model("ledger", "TakeBackRequest").objects.filter(status="asked").select_related("match"):
        match = request.match
        match.clock_stops, match.stops_end_at = {"take-back": until.isoformat()}, until
        match.save(update_fields=["clock_stops", "stops_end_at"])
        for seat in match.seats.filter(clock_from__isnull=False):
            seat.clock_spent = max(0, int((now - seat.clock_from).total_seconds()))
            seat.clock_from = seat.due_at = None
            seat.save(update_fields=["clock_spent", "clock_from", "due_at"])


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0007_banked_clocks'),
    ]

    operations = [
        migrations.RunPython(keep_running, migrations.RunPython.noop),
    ]
