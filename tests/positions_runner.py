"""Position files as tests: every file of a folder is built, played, and compared with what it expects."""

import json
from pathlib import Path
from typing import Any

from games import catalogue
from games.kernel.position import differences, run_position

ROOT = Path(__file__).parent / "positions"


def position_files(ruleset: str) -> list[Path]:
    found = sorted((ROOT / ruleset).glob("*.json"))
    assert found, f"no position files for {ruleset}"
    return found


def run_file(path: Path) -> dict[str, Any]:
    """Play one file and fail with every difference from what it expects."""
    document = json.loads(path.read_text())
    assert document.get("expect"), f"{path.name} expects nothing"
    result = run_position(catalogue.find, document)
    wrong = differences(result, document["expect"])
    assert not wrong, f"{path.name}:\n" + "\n".join(wrong)
    return result
