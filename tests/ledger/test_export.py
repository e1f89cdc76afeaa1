"""Export, import, and the verifier that needs no server."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.kernel.errors import BadSetup
from games.ledger.export import export_lines, match_import
from games.ledger.models import Entry, Match
from games.ledger.verify import match_problem
from tests.ledger.helpers import play_some, solo

pytestmark = [pytest.mark.django_db, pytest.mark.services]
VERIFIER = Path(__file__).parents[2] / "tools" / "verify_match.py"


def verify(text: str, folder: Path) -> tuple[int, str]:
    """The verifier as a player runs it: plain python, no site packages, another folder."""
    file = folder / "match.jsonl"
    file.write_text(text)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(VERIFIER), str(file)], capture_output=True, text=True, cwd=folder, check=False
    )
    return done.returncode, done.stdout


@pytest.fixture
def finished(make_user: Any) -> Match:
    return play_some(solo(make_user(), salt="oud"), 100_000, seed=3)


def test_a_finished_match_proves_itself_without_the_server(finished: Match, tmp_path: Path) -> None:
    code, said = verify("".join(export_lines(finished)), tmp_path)
    assert code == 0, said
    assert f"{finished.head_seq + 1} entries linked" in said


def test_the_verifier_is_small_and_needs_only_python() -> None:
    text = VERIFIER.read_text()
    assert len(text.splitlines()) <= 150
    imported = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= set(sys.stdlib_module_names)


def test_a_running_match_is_exported_without_its_secrets(make_user: Any, tmp_path: Path) -> None:
    match = play_some(solo(make_user()), 40)
    text = "".join(export_lines(match))
    assert match.seed not in text
    for line in text.splitlines():
        for kind, value in json.loads(line).get("rolls", []):
            assert (value is None) == kind.endswith("?")
    code, said = verify(text, tmp_path)
    assert code == 0 and "still secret" in said


def test_import_gives_an_equal_match(finished: Match, make_user: Any) -> None:
    text = "".join(export_lines(finished))
    copy = match_import(user=make_user("tom"), text=text)
    assert "".join(export_lines(copy)) == text
    assert bytes(copy.state) == bytes(finished.state)
    assert match_problem(copy) == ""


def test_every_mutation_of_a_file_is_found(finished: Match, make_user: Any, tmp_path: Path) -> None:
    good = "".join(export_lines(finished)).splitlines()
    rng = random.Random(5)
    importer = make_user("tom")
    for trial in range(60):
        lines = list(good)
        index = rng.randrange(1, len(lines) - 1)
        kind = ("delete", "swap", "repeat", "action", "roll", "seat")[trial % 6]
        row = json.loads(lines[index])
        if kind == "delete":
            del lines[index]
        elif kind == "repeat":
            lines.insert(index, lines[index])
        elif kind == "swap":
            other = index - 1 if index > 1 else index + 1
            lines[index], lines[other] = lines[other], lines[index]
        elif kind == "roll":
            row = next(r for r in map(json.loads, lines[index:] + lines[1:-1]) if r.get("rolls"))
            index = row["seq"] + 1
            row["rolls"][0][1] = (row["rolls"][0][1] + 1) % 6
            lines[index] = json.dumps(row)
        else:
            row[kind] = ["done", "extra"] if kind == "action" else "somebody"
            lines[index] = json.dumps(row)
        code, said = verify("\n".join(lines), tmp_path)
        assert code == 1 and said.startswith("BAD"), (kind, said)
        with pytest.raises(BadSetup):
            match_import(user=importer, text="\n".join(lines))
    assert Entry.objects.exclude(match=finished).count() == 0, "a refused import leaves nothing"


@pytest.mark.parametrize("text", ["", "{}", "[]\n[]\n[]", "not json", '{"kind":"header"}\n{"kind":"end"}', "\x00"])
def test_rubbish_is_refused_with_a_sentence(make_user: Any, text: str) -> None:
    with pytest.raises(BadSetup) as caught:
        match_import(user=make_user(), text=text)
    assert caught.value.text.endswith(".")
