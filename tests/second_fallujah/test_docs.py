"""The page of the game names classes that exist and every reading."""

import re
from importlib import import_module
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "rules" / "second_fallujah.md").read_text()


def test_every_class_named_beside_a_rule_exists() -> None:
    table = PAGE.split("## Rule -> class")[1].split("## Our readings")[0]
    named = re.findall(r"`([a-z_]+)\.([A-Za-z_]+)(?:\.[a-z]+)?`", table)
    assert len(named) > 30
    for module, thing in named:
        if thing != "py":
            assert hasattr(import_module(f"games.second_fallujah.{module}"), thing), f"{module}.{thing}"


def test_every_reading_is_listed() -> None:
    listed = {int(number) for number in re.findall(r"\bR(\d+)\b", PAGE)}
    assert listed >= set(range(1, 67))
