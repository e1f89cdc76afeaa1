#!/usr/bin/env python3
"""Check an exported match without the server: python3 verify_match.py FILE.jsonl

Needs nothing but Python. Checks that the revealed seed fits the commitment shown when the match opened,
that every entry is linked to the one before it, and that every die and card is what the seed gives.
"""

import hashlib
import hmac
import json
import sys

SPACE = 1 << 64


class Broken(Exception):
    """The file does not prove itself; the text names the first bad line."""


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def sha256(value):
    return hashlib.sha256(canonical(value)).hexdigest()


def shown(rolls):
    """Secret draws (kind ends in ?) are hashed without their value."""
    return [[kind, None if kind.endswith("?") else value] for kind, value in rolls]


class Chance:
    """HMAC-SHA-256, keyed by the seed, over the hash before the entry and a running number."""

    def __init__(self, seed, previous):
        self.key, self.previous, self.count = bytes.fromhex(seed), previous.encode(), 0

    def below(self, size):
        limit = SPACE - SPACE % size  # values above would favour low results: they are passed over
        while True:
            message = b"%s:%d" % (self.previous, self.count)
            self.count += 1
            value = int.from_bytes(hmac.digest(self.key, message, "sha256")[:8], "big")
            if value < limit:
                return value % size

    def roll(self, kind):
        if kind == "d6":
            return self.below(6) + 1
        if kind == "d10":
            return self.below(10)
        return self.below(int(kind.removeprefix("of").removesuffix("?")))


def read(path):
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    if len(rows) < 3 or rows[0].get("kind") != "header" or rows[-1].get("kind") != "end":
        raise Broken("The file is not a header line, entry lines and an end line.")
    return rows[0]["header"], rows[1:-1], rows[-1]


def check(header, entries, end):
    """Counts of entries and rolls; raises Broken at the first thing that is wrong."""
    seed = end["seed"]
    if seed is not None and hashlib.sha256(bytes.fromhex(seed)).hexdigest() != header["commitment"]:
        raise Broken("The seed does not fit the commitment.")
    previous, rolls = sha256(header), 0
    for number, entry in enumerate(entries):
        where = f"Entry {number}"
        if entry["seq"] != number:
            raise Broken(f"{where} is missing; the file goes on with {entry['seq']}.")
        if entry["previous_hash"] != previous:
            raise Broken(f"{where} does not follow the entry before it.")
        body = [previous, number, entry["seat"], entry["action"], shown(entry["rolls"]), entry["by"]]
        if entry["hash"] != sha256(body):
            raise Broken(f"{where} has been changed: its hash does not fit.")
        if seed is not None:
            chance = Chance(seed, previous)
            for index, (kind, value) in enumerate(entry["rolls"], 1):
                wanted = chance.roll(kind)
                if value != wanted:
                    raise Broken(f"{where}: roll {index} ({kind}) is {value}; the seed gives {wanted}.")
                rolls += 1
        previous = entry["hash"]
    if previous != end["head_hash"] or end["head_seq"] != len(entries) - 1:
        raise Broken("Entries are missing at the end of the file.")
    return len(entries), rolls


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip())
        return 2
    try:
        header, entries, end = read(arguments[1])
        count, rolls = check(header, entries, end)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"BAD  not a match file: {type(error).__name__} {error}")
        return 1
    except Broken as error:
        print(f"BAD  {error}")
        return 1
    print(f"GOOD  match {header['match']} of {header['ruleset']}: {count} entries linked, {rolls} rolls recomputed.")
    if end["seed"] is None:
        print("The match is not over: the seed is still secret, so its dice could not be checked.")
    print(f"Commitment {header['commitment']}")
    print(f"Last hash  {end['head_hash']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
