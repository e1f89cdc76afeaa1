"""docs/bots.md and docs/client.md are run against a real server; what they show must come back."""

import fnmatch
import re
import subprocess
import sys
from typing import Any

import pytest

from fallujah_client import Client
from tests.live import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
MARK = "=== end of block ==="


def _blocks(page: str) -> list[tuple[str, str]]:
    return re.findall(r"```(\w+)\n(.*?)```\n", (ROOT / "docs" / page).read_text(), re.S)


def test_every_command_about_bots_works_and_answers_as_shown(server: str, make_user: Any) -> None:
    blocks: list[tuple[str, str]] = []
    for kind, body in _blocks("bots.md"):
        if kind == "sh":
            blocks.append((body, ""))
        else:
            blocks[-1] = (blocks[-1][0], body)
    script = "set -euo pipefail\n" + f"\necho; echo '{MARK}'\n".join(body for body, _ in blocks)
    script = script.replace("http://127.0.0.1:8000", server)
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=120, check=False)
    outputs = run.stdout.split(f"{MARK}\n")
    assert run.returncode == 0, f"{blocks[len(outputs) - 1][0]}\n{outputs[-1]}\n{run.stderr}"
    assert len(outputs) == len(blocks) >= 5
    for (body, shown), output in zip(blocks, outputs, strict=True):
        pattern = shown.strip().replace("[", "[[]").replace("...", "*")
        assert not shown or fnmatch.fnmatchcase(output.strip(), pattern), (body, output)


def test_the_first_program_of_the_page_runs(server: str) -> None:
    Client(server).register("ada", "ada@example.org", "seven brass lanterns")
    program = next(body for kind, body in _blocks("client.md") if kind == "python")
    done = subprocess.run(
        [sys.executable, "-c", program.replace("http://127.0.0.1:8000", server)],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 ")


def test_every_word_of_the_terminal_is_on_its_page() -> None:
    from fallujah_client.shorthand import HERE, SHARED

    text = (ROOT / "docs" / "client.md").read_text() + (ROOT / "docs" / "playing-by-mail.md").read_text()
    for word in (SHARED | HERE) - {"exit", "board"}:
        assert re.search(rf"`{word}\b|  {word}|> {word}", text), word
