"""Every worked case of the rules, as a position file."""

from pathlib import Path

import pytest

from tests.positions_runner import position_files, run_file


@pytest.mark.parametrize("path", position_files("second_fallujah"), ids=lambda path: path.stem)
def test_position(path: Path) -> None:
    run_file(path)
