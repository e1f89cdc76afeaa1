"""docs/api.md is run from top to bottom against a real server; what it shows must come back."""

import fnmatch
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
ROOT = Path(__file__).resolve().parents[2]
MARK = "=== end of block ==="


def _blocks() -> list[tuple[str, str, str]]:
    """Every command block with the kind and text of the answer shown right after it, if any."""
    text = (ROOT / "docs" / "api.md").read_text()
    found = re.findall(r"```(\w+)\n(.*?)```\n", text, re.S)
    blocks: list[tuple[str, str, str]] = []
    for kind, body in found:
        if kind == "sh":
            blocks.append((body, "", ""))
        else:
            blocks[-1] = (blocks[-1][0], kind, body)
    return blocks


def _same(shown: Any, got: Any, where: str) -> None:
    """The answer has the keys and values that the page shows; "..." stands for anything."""
    if shown == "...":
        return
    if isinstance(shown, dict):
        assert isinstance(got, dict) and shown.keys() == got.keys(), f"{where}: {sorted(got)}"
        for key, value in shown.items():
            _same(value, got[key], f"{where}.{key}")
    elif isinstance(shown, list):
        assert isinstance(got, list) and len(shown) == len(got), where
        for index, value in enumerate(shown):
            _same(value, got[index], f"{where}[{index}]")
    else:
        assert shown == got, where


def test_every_command_of_the_page_works_and_answers_as_shown(live_server: Any, tmp_path: Path) -> None:
    if not shutil.which("curl"):
        pytest.skip("the page is about curl, which is not installed here")
    blocks = _blocks()
    assert len(blocks) >= 14
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    script = "set -euo pipefail\n" + f"\necho; echo '{MARK}'\n".join(body for body, _, _ in blocks)
    script = script.replace("http://127.0.0.1:8000", live_server.url)
    run = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    outputs = run.stdout.split(f"{MARK}\n")
    assert run.returncode == 0, f"block {len(outputs)}: {blocks[len(outputs) - 1][0]}\n{outputs[-1]}\n{run.stderr}"
    assert len(outputs) == len(blocks)
    for (body, kind, shown), output in zip(blocks, outputs, strict=True):
        if kind == "json":
            _same(json.loads(shown), json.loads(output), body)
        elif kind == "text":
            pattern = shown.strip().replace("...", "*").replace("[", "[[]")
            assert fnmatch.fnmatchcase(output.strip(), pattern), (body, output)
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")


def test_the_page_names_every_address(live_server: Any) -> None:
    from api.urls import urlpatterns

    text = (ROOT / "docs" / "api.md").read_text()
    for entry in urlpatterns:
        pattern = str(entry.pattern)
        if pattern.startswith("v1/"):
            last = [part for part in pattern.split("/") if "<" not in part][-1]
            assert last in text, f"docs/api.md says nothing of {pattern}"
