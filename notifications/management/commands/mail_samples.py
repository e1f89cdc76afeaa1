"""manage.py mail_samples DIR: every kind of mail of every game as .txt and .html, for looking at.

Everything happens in a transaction that is rolled back: nobody gets a mail and nothing stays. With
`--screenshots` a headless Chromium draws each at the width of a phone and of a desk, light and dark.
"""

import base64
import shutil
import subprocess
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from notifications import html, plain, samples

SHOTS = (("phone", 375, "light"), ("phone", 375, "dark"), ("desk", 700, "light"))


class Command(BaseCommand):
    help = "Write every kind of mail of every game as text and HTML, for looking at; sends and keeps nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory")
        parser.add_argument("--game", default="", help="one ruleset only")
        parser.add_argument("--answers", type=int, default=40, help="random answers before the decision's mail")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--screenshots", action="store_true", help="PNG files too, drawn by chromium")

    def handle(self, *args: Any, directory: str, game: str, answers: int, seed: int, **options: Any) -> None:
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        with transaction.atomic():
            for name, letter in samples.every_letter(game, answers, seed):
                page = html.render(letter)
                if letter.picture:
                    picture = base64.b64encode(letter.picture).decode()
                    page = page.replace(f"cid:{html.PICTURE_ID}", f"data:image/png;base64,{picture}")
                (folder / f"{name}.txt").write_text(f"Subject: {letter.subject}\n\n{plain.render(letter)}")
                (folder / f"{name}.html").write_text(page)
                if options["screenshots"]:
                    _draw(folder, name)
                self.stdout.write(name)
            transaction.set_rollback(True)


def _draw(folder: Path, name: str) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        raise CommandError("--screenshots needs chromium.")
    for where, width, theme in SHOTS:
        # Headless windows are at least 500 px wide; a frame of the wanted width stands inside.
        frame = folder / f".{name}-{where}.html"
        frame.write_text(
            f'<body style="margin:0;background:#888"><iframe src="{name}.html" '
            f'style="border:0;width:{width}px;height:3000px;background:#fff"></iframe>'
        )
        subprocess.run(  # noqa: S603 - our own arguments
            [
                browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
                "--hide-scrollbars", f"--window-size={max(width, 500)},3000",
                *(["--blink-settings=preferredColorScheme=0"] if theme == "dark" else []),
                f"--screenshot={folder / f'{name}-{where}-{theme}.png'}", f"file://{frame.resolve()}",
            ],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
        frame.unlink()
