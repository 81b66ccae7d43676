"""Which requests are retried, and when. Pure functions."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

#: Maximum Retry-After in seconds. A longer one fails immediately.
LONGEST_PAUSE = 60.0
_FIRST_BACKOFF, _LONGEST_BACKOFF = 0.25, 20.0
_PASSING = frozenset((429, 502, 503, 504))

#: Writes that accept an Idempotency-Key.
_KEYED = {
    "POST": re.compile(r"/api/v1/(bot/(messages(/ephemeral)?|agent_runs|execution_tasks|responses/[^/]+)|webhooks/incoming/[^/]+|client/conversations/[^/]+/messages)"),
    "PATCH": re.compile(r"/api/v1/bot/execution_tasks/[^/]+"),
}
#: Path parts that are secrets. Ids are not.
_SECRET_PART = re.compile(r"/(incoming|responses|modals|storage|invites|portal)/[^/]+")


def takes_key(method: str, path: str) -> bool:
    """Whether this write accepts an Idempotency-Key. `path` has no query."""
    pattern = _KEYED.get(method)
    return pattern is not None and pattern.fullmatch(path) is not None


def may_pass(status: int, repeatable: bool) -> bool:
    """
    Whether a response is worth a retry. 429 refuses a request before it has an effect, so every
    request can be retried. After other failures, or none (0), the first try may have had its
    effect.
    """
    return status == 429 or (repeatable and (status == 0 or status in _PASSING))


def pause_before(failures: int, asked: float | None) -> float:
    """
    Returns the pause before the next try in seconds: the server's Retry-After plus up to a
    quarter, so that refused clients do not return concurrently, else a random part of a
    doubling interval. `failures` counts from 1.
    """
    if asked is not None:
        return asked + random.uniform(0, min(asked / 4, 5.0))
    interval = float(min(_FIRST_BACKOFF * 2 ** (failures - 1), _LONGEST_BACKOFF))
    return interval * random.uniform(0.5, 1.0)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns Retry-After in seconds. A date is relative to the response's Date."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    at = _date(text)
    if at is None:
        return None
    sent = _date(headers.get("date", "")) or datetime.now(timezone.utc)
    return max(0.0, (at - sent).total_seconds())


def name_of(method: str, path: str) -> str:
    """Returns `POST /api/v1/bot/messages`: without the query and without secrets in the path."""
    bare = path.split("?", 1)[0]
    return f"{method} {_SECRET_PART.sub(lambda found: f'/{found[1]}/…', bare)}"


def _date(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=timezone.utc)
