"""Several statements in one trip to the database.

An order costs more in travelling than in thinking: the ORM writes each statement anew and waits for each answer.
A Trip carries many; PostgreSQL takes them in one pipeline and prepares what comes often, other databases take one
after the other. The texts are made once from the models, so a new column needs no word here.
"""

import contextlib
import functools
import hashlib
import itertools
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar

import psycopg
from django.db import connection, models, transaction
from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)
Service = TypeVar("Service", bound=Callable[..., Any])
Row = Sequence[Any]
Reader = Callable[[Sequence[Row]], Any]
Taker = Callable[[Any], Any]  # the value of a column of a row, as the database takes it


class Look(Generic[M]):
    """A queryset compiled once, asked again and again: parameters equal to a mark are what is looked for."""

    def __init__(self, make: Callable[..., QuerySet[M]], *marks: int | str) -> None:
        self._make, self._marks = make, marks or (2_000_000_011,)

    @functools.cached_property
    def compiled(self) -> tuple[str, Row, Reader]:
        """The text, its parameters, and what makes models of its rows."""
        compiler: Any = self._make(*self._marks).query.get_compiler(connection=connection)
        text, parameters = compiler.as_sql()
        return text, parameters, _reader(compiler)

    def parameters(self, *wanted: int | str) -> list[Any]:
        meant = dict(zip(self._marks, wanted, strict=True))
        return [meant.get(value, value) for value in self.compiled[1]]

    def all(self, *wanted: int | str) -> list[M]:
        """The rows, by a trip of their own."""
        trip = Trip()
        found = trip.look(self, *wanted)
        trip.go()
        return found


def _reader(compiler: Any) -> Callable[[Sequence[Row]], list[Any]]:
    """Rows of values as models, with the foreign keys that were followed, as the ORM reads them."""
    info, alias = compiler.klass_info, connection.alias
    converters = compiler.get_converters([column[0] for column in compiler.select])
    followed = info.get("related_klass_infos", ())
    parts = [_part(part, compiler.select) for part in (info, *followed)]

    def read(rows: Sequence[Row]) -> list[Any]:
        found = []
        for row in compiler.apply_converters(rows, converters) if converters else rows:
            main, *others = [_made(cls, alias, names, [row[at] for at in places]) for cls, names, places in parts]
            for related, other in zip(followed, others, strict=True):
                related["local_setter"](main, other)
            found.append(main)
        return found

    return read


def _made(cls: type[Model], alias: str, names: list[str], values: list[Any]) -> Model | None:
    """None where a foreign key led nowhere: its number comes first."""
    return None if values[0] is None else cls.from_db(alias, names, values)


def _part(info: Any, select: Any) -> tuple[type[Model], list[str], list[int]]:
    places = list(info["select_fields"])
    return info["model"], [select[at][0].target.attname for at in places], places


class Trip:
    """What is to be asked and written, in order; `go` does it all."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._parameters: list[Any] = []
        self._counts: list[int] = []  # parameters of each text
        self._readers: list[Reader | None] = []

    def look(self, look: Look[M], *wanted: int | str) -> list[M]:
        """The list that `go` will fill."""
        text, _, reader = look.compiled
        found: list[M] = []
        self._add(text, look.parameters(*wanted), lambda rows: found.extend(reader(rows)))
        return found

    def insert(self, rows: Sequence[Model]) -> None:
        """New rows of one model; `go` gives them their numbers."""
        if rows:
            head, one, tail, takers = _insert(type(rows[0]))
            text = f"{head} {', '.join([one] * len(rows))} {tail}"
            self._add(text, [take(row) for row in rows for take in takers], lambda ids: _number(rows, ids))

    def update(self, row: Model, names: Sequence[str]) -> None:
        """These columns of a row that exists."""
        text, takers = _update(type(row), tuple(names))
        self._add(text, [*(take(row) for take in takers), row.pk])

    def write(self, rows: QuerySet[Any], **values: Any) -> None:
        """The same values for all rows of a queryset."""
        query: Any = rows.query.chain(models.sql.UpdateQuery)
        query.add_update_values(values)
        self._add(*query.get_compiler(connection=connection).as_sql())

    def hold(self, *names: int | str) -> None:
        """Wait until nobody else holds these names, then hold them until the transaction ends.

        SQLite has one writer at a time and needs no more than that.
        """
        if connection.vendor == "postgresql":
            digest = hashlib.sha256(repr(names).encode()).digest()
            self._add("SELECT pg_advisory_xact_lock(%s)", [int.from_bytes(digest[:8], "big", signed=True)])

    def take_along(self, other: "Trip") -> None:
        """All that another trip would have done, after what is here; the other is empty then."""
        self._texts += other._texts
        self._parameters += other._parameters
        self._counts += other._counts
        self._readers += other._readers
        other.__init__()  # type: ignore[misc]

    def go(self) -> None:
        """Send everything, read everything; the trip is empty again."""
        texts, parameters, counts, readers = self._texts, self._parameters, self._counts, self._readers
        Trip.__init__(self)
        if not texts:
            return
        if connection.vendor == "postgresql":
            found = _noted(lambda: _together(texts, counts, parameters), texts, parameters)
        else:
            found = _in_turn(texts, counts, parameters)
        for reader, rows in zip(readers, found, strict=True):
            if reader is not None:
                reader(rows)

    def _add(self, text: str, parameters: Row, reader: Reader | None = None) -> None:
        self._texts.append(text)
        self._parameters += parameters
        self._counts.append(len(parameters))
        self._readers.append(reader)


class Whole(transaction.Atomic):
    """A transaction around one service and its answer.

    A refusal undoes it as a whole, so the service needs no savepoint; what the service writes last travels
    together with the answer.
    """

    def __init__(self) -> None:
        super().__init__(using=None, savepoint=True, durable=False)
        self.last = Trip()

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if kind is not None:
            super().__exit__(kind, value, trace)
            return
        try:
            self.last.go()
        except Exception as error:
            super().__exit__(type(error), error, error.__traceback__)
            raise
        super().__exit__(None, None, None)


def whole() -> Whole | None:
    """The Whole we are in, if nothing else was opened inside it."""
    blocks = transaction.get_connection().atomic_blocks
    return blocks[-1] if blocks and isinstance(blocks[-1], Whole) else None


def in_transaction(service: Service) -> Service:
    """As `transaction.atomic`, without the cost of a savepoint inside a Whole."""

    @functools.wraps(service)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if whole() is not None:
            return service(*args, **kwargs)
        with transaction.atomic():
            return service(*args, **kwargs)

    return wrapper  # type: ignore[return-value]


def finish(trip: Trip) -> None:
    """The last thing a service does: go, or wait for the answer of the Whole it is in."""
    around = whole()
    if around is None:
        trip.go()
    else:
        around.last.take_along(trip)


# --- sending ---------------------------------------------------------------------------------------------


def _in_turn(texts: list[str], counts: list[int], parameters: list[Any]) -> list[Sequence[Row]]:
    values = iter(parameters)
    found = []
    with connection.cursor() as cursor:
        for text, count in zip(texts, counts, strict=True):
            cursor.execute(text, list(itertools.islice(values, count)))
            found.append(cursor.fetchall() if cursor.description else ())
    return found


def _together(texts: list[str], counts: list[int], parameters: list[Any]) -> list[Sequence[Row]]:
    """All in one pipeline, together with the BEGIN that waits; what comes often is prepared by the server."""
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    raw: Any = connection.connection
    values = iter(parameters)
    with connection.wrap_database_errors:
        with raw.pipeline() if len(texts) > 1 else contextlib.nullcontext():
            cursors = [
                psycopg.Cursor(raw).execute(text, list(itertools.islice(values, count)))  # type: ignore[arg-type]
                for text, count in zip(texts, counts, strict=True)
            ]
        return [cursor.fetchall() if cursor.description else () for cursor in cursors]


def _noted(send: Callable[[], Any], texts: list[str], parameters: list[Any]) -> Any:
    """As Django's own cursors do: whoever watches the statements sees one for the trip."""
    if not connection.execute_wrappers and not connection.queries_logged:
        return send()
    text = ";\n".join(texts)

    def run(*_: Any) -> Any:
        return send()

    for wrapper in reversed(connection.execute_wrappers):
        run = functools.partial(wrapper, run)
    if connection.queries_logged:
        connection.queries_log.append({"sql": text, "time": "0.000"})
    return run(text, parameters, False, {"connection": connection, "cursor": None})


# --- texts -----------------------------------------------------------------------------------------------


@functools.cache
def _insert(model: type[Model]) -> tuple[str, str, str, list[Taker]]:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(_name(field.column) for field in fields)
    head = f"INSERT INTO {_name(model._meta.db_table)} ({columns}) VALUES"
    one = f"({', '.join(['%s'] * len(fields))})"
    return head, one, f"RETURNING {_name(model._meta.pk.column)}", [_taker(field, True) for field in fields]


@functools.cache
def _update(model: type[Model], names: tuple[str, ...]) -> tuple[str, list[Taker]]:
    fields: list[Any] = [model._meta.get_field(name) for name in names]
    changes = ", ".join(f"{_name(field.column)} = %s" for field in fields)
    table, key = _name(model._meta.db_table), _name(model._meta.pk.column)
    text = f"UPDATE {table} SET {changes} WHERE {key} = %s"  # noqa: S608 - names of our own
    return text, [_taker(field, False) for field in fields]


PLAIN = (models.CharField, models.TextField, models.IntegerField, models.BooleanField, models.ForeignKey)


def _taker(field: Any, new: bool) -> Taker:
    """Texts and numbers go as they are; the rest as the ORM would give it."""
    if isinstance(field, PLAIN):
        return attrgetter(field.attname)
    return lambda row: field.get_db_prep_save(field.pre_save(row, new), connection)


def _name(word: str | None) -> str:
    return str(connection.ops.quote_name(word or ""))


def _number(rows: Sequence[Model], ids: Sequence[Row]) -> None:
    for row, (number,) in zip(rows, ids, strict=True):
        row.pk = number
        row._state.adding, row._state.db = False, connection.alias
