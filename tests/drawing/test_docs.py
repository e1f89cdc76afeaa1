"""The example of docs/drawing.md runs as printed."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from games.kernel.ruleset import Scene

PAGE = Path(__file__).parents[2] / "docs" / "drawing.md"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_printed_example_draws_a_board(theme: str) -> None:
    code = PAGE.read_text().split("```python\n")[1].split("```")[0]
    names: dict[str, object] = {"scene": Scene({}, None, theme=theme, heading="10 November")}
    exec(compile(code, str(PAGE), "exec"), names)
    mail = names["mail"]
    assert isinstance(mail, bytes) and mail.startswith(b"\x89PNG")
    picture = names["draw"](names["scene"])  # type: ignore[operator]
    assert "10 November" in "".join(ElementTree.fromstring(picture).itertext())
