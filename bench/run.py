"""Every benchmark, one after the other: two at once would share the cores and prove nothing."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPTS = ("engines.py", "ledger.py", "rest.py", "looks.py", "bots.py", "streams.py", "webhooks.py", "mail.py")


def main() -> int:
    failed = 0
    for name in SCRIPTS:
        if (HERE / name).exists():
            print(f"== {name}", flush=True)
            failed |= subprocess.run([sys.executable, str(HERE / name), *sys.argv[1:]], check=False).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
