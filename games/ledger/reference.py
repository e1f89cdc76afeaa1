"""What programs and readers may know of a game without a match: its rules page, its board, how orders are written."""

import functools
import inspect
from typing import Any

import msgspec
from django.conf import settings

from games import catalogue
from games.kernel.ruleset import Ruleset
from games.kernel.steps import Decision


def rules_page(key: str) -> dict[str, Any]:
    """The page of the game as Markdown, and every rule that happens as its step tells it."""
    rules = catalogue.find(key)
    return {"key": rules.key, "title": rules.title, "markdown": _page(key), "rules": _rules(rules)}


@functools.cache
def _page(key: str) -> str:
    path = settings.BASE_DIR / "docs" / "rules" / f"{key}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _rules(rules: Ruleset) -> list[dict[str, Any]]:
    """A step that happens, or a decision that waits; its docstring begins with the rule number."""
    return [
        {
            "step": step.__name__,
            "decision": issubclass(step, Decision),
            "words": inspect.cleandoc(step.__doc__ or ""),
        }
        for step in rules.steps
    ]


def board(key: str) -> dict[str, Any]:
    """Places, links and pieces."""
    rules = catalogue.find(key)
    plain: dict[str, Any] = msgspec.to_builtins(rules.chart())
    return {"key": rules.key, "version": rules.version, **plain}


def notation(key: str) -> dict[str, Any]:
    """Every verb with its forms; the decisions that standing orders may name; what a game proposes."""
    rules = catalogue.find(key)
    return {
        "key": rules.key,
        "forms": msgspec.to_builtins(rules.forms()),
        "decisions": dict(rules.decisions),
        "standing_defaults": {seat: list(texts) for seat, texts in rules.standing_defaults.items()},
    }
