"""Invitations, refusals and sayings come over from the mail door with all their rows."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("ledger", "0005_bot_leases"),
        ("notifications", "0002_talk_to_ledger"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Refusal",
                    fields=[
                        ID,
                        ("fingerprint", models.CharField(max_length=64, unique=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={"db_table": "notifications_refusal"},
                ),
                migrations.CreateModel(
                    name="Saying",
                    fields=[
                        ID,
                        ("match_id", models.BigIntegerField()),
                        ("seat", models.CharField(max_length=20)),
                        ("text", models.TextField()),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("told", models.JSONField(default=list)),
                    ],
                    options={
                        "db_table": "notifications_saying",
                        "indexes": [models.Index(fields=["match_id", "created_at"], name="saying_of_match")],
                    },
                ),
                migrations.CreateModel(
                    name="Invitation",
                    fields=[
                        ID,
                        ("email", models.EmailField(max_length=254)),
                        ("ruleset", models.CharField(max_length=40)),
                        ("options", models.JSONField(default=dict)),
                        ("host_seat", models.CharField(max_length=20)),
                        ("guest_seat", models.CharField(max_length=20)),
                        ("words", models.TextField(blank=True)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "Open"),
                                    ("accepted", "Accepted"),
                                    ("declined", "Declined"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("match_id", models.BigIntegerField(blank=True, null=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("expires_at", models.DateTimeField()),
                        (
                            "host",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations_sent",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={"db_table": "notifications_invitation"},
                ),
            ]
        ),
        migrations.AlterModelTable("Refusal", None),
        migrations.AlterModelTable("Saying", None),
        migrations.AlterModelTable("Invitation", None),
        migrations.AddField(
            "Invitation",
            "guest",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="invitations",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("Invitation", "named", models.CharField(blank=True, max_length=260)),
    ]
