"""Shared fixtures, and the lock on the ledger lifted for the moment in which a test database is emptied."""

import os
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
import redis
from django.core.management.commands.flush import Command as Flush
from django.db import connections
from hypothesis import HealthCheck, settings

settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("house")


@pytest.fixture(scope="session", autouse=True)
def _the_database_that_was_asked_for() -> None:
    """A run meant for PostgreSQL must never pass on SQLite by mistake."""
    wanted = os.environ.get("FALLUJAH_EXPECT_VENDOR", "sqlite")
    assert connections["default"].vendor == wanted, f"tests were to run on {wanted}"


@pytest.fixture(scope="session", autouse=True)
def _no_message_is_left_behind() -> Iterator[None]:
    """What this run put into a shared Redis goes with it."""
    yield
    address, prefix = os.environ.get("FALLUJAH_REDIS_URL"), os.environ["FALLUJAH_QUEUE_PREFIX"]
    if address:
        server = redis.Redis.from_url(address)
        for key in server.scan_iter(f"{prefix}*"):
            server.delete(key)


@pytest.fixture(scope="session", autouse=True)
def _flush_may_empty_the_ledger() -> Iterator[None]:
    """Entries are locked by triggers; only the emptying between tests lifts the lock, and puts it back."""
    lock = import_module("games.ledger.migrations.0002_lock_entries")
    original = Flush.handle

    def handle(self: Flush, *args: Any, **options: Any) -> Any:
        with connections["default"].schema_editor() as editor:
            lock.run(lock.POSTGRES_UNLOCK, lock.SQLITE_UNLOCK)(None, editor)
        try:
            return original(self, *args, **options)
        finally:
            with connections["default"].schema_editor() as editor:
                lock.run(lock.POSTGRES_LOCK, lock.SQLITE_LOCK)(None, editor)

    Flush.handle = handle  # type: ignore[method-assign]
    yield
    Flush.handle = original  # type: ignore[method-assign]


@pytest.fixture
def make_user() -> Any:
    from django.contrib.auth import get_user_model
    from django.utils import timezone

    def make(name: str = "rania") -> Any:
        return get_user_model().objects.create_user(
            username=name, email=f"{name}@example.org", password="a good pass phrase", email_verified_at=timezone.now()
        )

    return make
