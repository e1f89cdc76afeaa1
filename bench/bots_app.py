"""The server's Celery app with one more task: the least a worker could do to answer. For bench/bots.py."""

import fallujah_server.celery as server
from tests import toy

app = server.app
toy.install()


@app.task(name="bench.floor", queue="bots")  # type: ignore[untyped-decorator]
def floor(game: int) -> None:
    """Lock a row, insert a row, count."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT seq FROM floor_game WHERE id = %s FOR UPDATE", [game])
        (seq,) = cursor.fetchone()
        cursor.execute("INSERT INTO floor_line (game_id, seq) VALUES (%s, %s)", [game, seq + 1])
        cursor.execute("UPDATE floor_game SET seq = %s WHERE id = %s", [seq + 1, game])
