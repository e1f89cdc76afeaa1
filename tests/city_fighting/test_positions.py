"""Every worked case of the rules, as a position file."""

from pathlib import Path

import pytest

from tests.positions_runner import position_files, run_file


@pytest.mark.parametrize("path", position_files("city_fighting"), ids=lambda path: path.stem)
def test_worked_case(path: Path) -> None:
    run_file(path)
