"""The database itself refuses to change or delete ledger entries."""

from django.db import migrations

POSTGRES_LOCK = """
CREATE FUNCTION ledger_entry_is_forever() RETURNS trigger AS $$
BEGIN
    RAISE EXCEPTION 'ledger entries are append-only' USING ERRCODE = 'restrict_violation';
END;
$$ LANGUAGE plpgsql;
CREATE TRIGGER ledger_entry_no_change BEFORE UPDATE OR DELETE ON ledger_entry
    FOR EACH ROW EXECUTE FUNCTION ledger_entry_is_forever();
CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_entry_is_forever();
"""
POSTGRES_UNLOCK = """
DROP TRIGGER ledger_entry_no_truncate ON ledger_entry;
DROP TRIGGER ledger_entry_no_change ON ledger_entry;
DROP FUNCTION ledger_entry_is_forever();
"""
SQLITE_LOCK = [
    """CREATE TRIGGER ledger_entry_no_update BEFORE UPDATE ON ledger_entry
       BEGIN SELECT RAISE(ABORT, 'ledger entries are append-only'); END""",
    """CREATE TRIGGER ledger_entry_no_delete BEFORE DELETE ON ledger_entry
       BEGIN SELECT RAISE(ABORT, 'ledger entries are append-only'); END""",
]
SQLITE_UNLOCK = ["DROP TRIGGER ledger_entry_no_update", "DROP TRIGGER ledger_entry_no_delete"]


def run(postgres, sqlite):
    def inner(apps, schema_editor):
        vendor = schema_editor.connection.vendor
        if vendor == "postgresql":
            statements = [postgres]
        elif vendor == "sqlite":
            statements = sqlite
        else:
            raise RuntimeError(f"The ledger cannot be locked on {vendor}; use PostgreSQL or SQLite.")
        for statement in statements:
            schema_editor.execute(statement)

    return inner


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]
    operations = [
        migrations.RunPython(run(POSTGRES_LOCK, SQLITE_LOCK), run(POSTGRES_UNLOCK, SQLITE_UNLOCK)),
    ]
