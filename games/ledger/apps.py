from django.apps import AppConfig
from django.conf import settings


class LedgerConfig(AppConfig):
    name = "games.ledger"
    label = "ledger"

    def ready(self) -> None:
        from games.bots.registry import add_bots

        add_bots(settings.BOT_CLASSES)
