"""Invitations, refusals and sayings belong to the ledger; the tables stay as they are until it takes them over."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("notifications", "0001_mail")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel("Invitation"),
                migrations.DeleteModel("Refusal"),
                migrations.DeleteModel("Saying"),
            ]
        )
    ]
