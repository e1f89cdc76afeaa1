from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "fallujah_server.accounts"
    label = "accounts"
