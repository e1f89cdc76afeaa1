from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "games.ledger"
    label = "ledger"
