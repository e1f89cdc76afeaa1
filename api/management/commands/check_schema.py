"""Whether the OpenAPI schema keeps the house rules: `make lint` runs it."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from api.lint import problems


class Command(BaseCommand):
    help = "Check the OpenAPI schema and its examples."

    def handle(self, *args: Any, **options: Any) -> None:
        schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
        validate_schema(schema)  # type: ignore[no-untyped-call]
        found = problems(schema, settings.BASE_DIR)
        for line in found:
            self.stdout.write(line)
        if found:
            raise CommandError(f"{len(found)} things are wrong with the schema.")
        count = sum(len(methods) for methods in schema["paths"].values())
        self.stdout.write(f"The schema tells {count} operations, each with an example that happened.")
