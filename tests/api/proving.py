"""Schemathesis against a running server, as one role: every phase, every check, and a count of what was reached."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from schemathesis.engine import events, from_schema

# Statuses a request that fits the schema may still get: the match has moved on (412), or the words are no order of
# this game, no set-up, no person (422). All other refusals of well-formed requests would be a fault of the schema.
POSITIVE = ["2xx", "3xx", "401", "403", "404", "409", "412", "422", "429"]
NEGATIVE = ["400", "401", "403", "404", "405", "409", "412", "413", "415", "422", "429"]


@schemathesis.serializer("application/x-ndjson")
def _lines(ctx: Any, value: Any) -> bytes:
    """A file is sent as it is."""
    return value.encode(errors="replace") if isinstance(value, str) else str(value).encode(errors="replace")


@dataclass
class Report:
    """What came of one run."""

    cases: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    reached: set[str] = field(default_factory=set)
    accepted: set[str] = field(default_factory=set)
    failures: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = ", ".join(f"{status}: {count}" for status, count in sorted(self.statuses.items()))
        return (
            f"{self.cases} requests, {len(self.reached)} operations reached, {len(self.accepted)} accepted ({counts})"
        )


def prove(
    url: str, *, headers: dict[str, str], examples: int, coverage: bool, hooks: dict[str, Any], without: list[str]
) -> Report:
    """One role's run. `hooks` are schemathesis hooks by name, `without` checks that are left out."""
    config = schemathesis.Config.from_dict(
        {
            "headers": headers,
            "base-url": url,
            "continue-on-failure": True,
            "request-timeout": 60,
            "generation": {"max-examples": examples, "database": "none", "no-shrink": True},
            "checks": {
                "positive_data_acceptance": {"expected-statuses": POSITIVE},
                "negative_data_rejection": {"expected-statuses": NEGATIVE},
                **{name: {"enabled": False} for name in without},
            },
            "phases": {"coverage": {"enabled": coverage}, "stateful": {"enabled": True}},
        }
    )
    schema = schemathesis.openapi.from_url(f"{url}/api/schema/", config=config)
    report = Report()
    schemathesis.hooks.unregister_all()
    for name, hook in hooks.items():
        schemathesis.hook(name)(hook)
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            _note(report, event.recorder)
        elif isinstance(event, events.NonFatalError):
            report.errors.append(f"{event.label}: {event.info.title} {event.value}"[:500])
        elif isinstance(event, events.FatalError):
            report.errors.append(str(event.exception)[:500])
    schemathesis.hooks.unregister_all()
    return report


def _note(report: Report, recorder: Any) -> None:
    for case_id, node in recorder.cases.items():
        report.cases += 1
        label = node.value.operation.label
        report.reached.add(label)
        seen = recorder.interactions.get(case_id)
        if seen is not None and seen.response is not None:
            report.statuses[seen.response.status_code] += 1
            if seen.response.status_code < 300:
                report.accepted.add(label)
    for case_id, checks in recorder.checks.items():
        for check in checks:
            failure = getattr(check.failure_info, "failure", None)
            if failure is not None:
                case = recorder.cases[case_id].value
                name = f"{case.operation.label} {check.name}: {failure.title} {failure.message}"[:300]
                report.failures.setdefault(name, getattr(check.failure_info, "code_sample", ""))
