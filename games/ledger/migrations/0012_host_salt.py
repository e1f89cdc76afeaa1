"""The inviter's own words for the dice wait with the invitation."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0011_flags_for_play")]

    operations = [
        migrations.AddField("invitation", "host_salt", models.CharField(blank=True, default="", max_length=200)),
    ]
