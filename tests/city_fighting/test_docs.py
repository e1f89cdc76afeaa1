"""The rules page names things that exist."""

import importlib
import re
from pathlib import Path

from games.city_fighting import RULES

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "city_fighting.md"


def test_every_name_of_the_rule_table_exists() -> None:
    module = None
    for row in PAGE.read_text().split("## Where each rule is")[1].split("The stack")[0].splitlines():
        for name in re.findall(r"`([\w.]+)`", row.rsplit("|", 2)[-2] if row.count("|") > 2 else ""):
            if name.startswith("data/") or name.endswith((".py", ".json")):
                continue
            head, *rest = name.split(".")
            if head[0].islower() and rest:
                module = importlib.import_module(f"games.city_fighting.{head}")
                owner: object = module
            else:
                owner, rest = module, [head, *rest]
            for part in rest:
                assert hasattr(owner, part), f"{name} in: {row}"
                owner = getattr(owner, part)


def test_options_and_verbs_of_the_page_are_those_of_the_game() -> None:
    text = PAGE.read_text()
    for option in RULES.options:
        assert f"`{option.key}`" in text
    for word in RULES.decisions:
        assert f"`{word}`" in text
