"""Many writers, one decision: exactly one wins, the rest are told the present version."""

import threading
from typing import Any

import pytest
from django.db import connection, connections

from games.kernel.errors import StaleOrders
from games.ledger import services
from games.ledger.models import Entry
from games.ledger.verify import match_problem
from tests.ledger.helpers import choices, now, solo

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
WRITERS = 50


def test_fifty_writers_race_on_one_decision_and_one_wins(make_user: Any) -> None:
    match = solo(make_user())
    action = list(choices(match)[0])
    start = threading.Barrier(WRITERS)
    wins: list[int] = []
    conflicts: list[int] = []
    surprises: list[BaseException] = []

    def write() -> None:
        try:
            start.wait()
            result = services.orders_submit(match_id=match.pk, seat="american", orders=[action], base=match.head_seq)
            wins.append(result.version)
        except StaleOrders as error:
            conflicts.append(int(error.facts["version"]))
        except BaseException as error:
            surprises.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=write) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not surprises
    assert len(wins) == 1 and len(conflicts) == WRITERS - 1
    assert set(conflicts) == {match.head_seq + 1}, "each loser learns the present version"
    assert Entry.objects.filter(match=match).count() == match.head_seq + 2
    assert match_problem(now(match)) == ""


def test_the_lock_is_back_after_the_database_was_emptied(make_user: Any) -> None:
    """Runs after the test above has been flushed: the triggers must be there again."""
    solo(make_user())
    with pytest.raises(Exception, match="append-only"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM ledger_entry")
