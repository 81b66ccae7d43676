"""Decides which requests are retried, and when."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

#: Maximum Retry-After to wait for, in seconds. A longer one fails immediately.
MAX_PAUSE = 60.0
_FIRST_BACKOFF, _MAX_BACKOFF = 0.25, 20.0
_RETRYABLE = frozenset((429, 502, 503, 504))

#: Writes that accept an Idempotency-Key. A test compares them with the OpenAPI document.
_KEYED = {
    "POST": re.compile(
        r"/api/v1/bot/(messages(/ephemeral)?|scheduled_messages|agent_runs|execution_tasks|responses/[^/]+)"
        r"|/api/v1/(webhooks/(incoming|hooks)/[^/]+|client/conversations/[^/]+/messages)"
        r"|/hooks/[^/]+(/[^/]+)?|/services/[^/]+/[^/]+/[^/]+"
    ),
    "PATCH": re.compile(r"/api/v1/bot/execution_tasks/[^/]+"),
}
#: Secrets in paths. Ids are not secret.
_SECRET_PART = re.compile(r"/(incoming|responses|modals|storage|invites|portal)/[^/]+")


def takes_key(method: str, path: str) -> bool:
    """Whether this write accepts an Idempotency-Key. `path` has no query."""
    pattern = _KEYED.get(method)
    return pattern is not None and pattern.fullmatch(path) is not None


def is_worth_retrying(status: int, repeatable: bool) -> bool:
    """
    Whether to retry after a status. 429 rejects before anything is done, so every request may be
    retried. After the others, and without a response (0), the first attempt may have had an effect.
    """
    return status == 429 or (repeatable and (status == 0 or status in _RETRYABLE))


def pause_before(failures: int, asked: float | None) -> float:
    """
    Returns the delay before the next attempt in seconds. With Retry-After, waits that long plus up
    to a quarter, so that clients rejected together do not return together. Without it, uses
    exponential backoff with jitter. `failures` counts from 1.
    """
    if asked is not None:
        return asked + random.uniform(0, min(asked / 4, 5.0))
    interval = float(min(_FIRST_BACKOFF * 2 ** (failures - 1), _MAX_BACKOFF))
    return interval * random.uniform(0.5, 1.0)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns Retry-After in seconds. A date is taken relative to the response's Date."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    at = _date(text)
    if at is None:
        return None
    sent = _date(headers.get("date", "")) or datetime.now(timezone.utc)
    return max(0.0, (at - sent).total_seconds())


def name_of(method: str, path: str) -> str:
    """Returns a name such as `POST /api/v1/bot/messages`, without query and secrets."""
    bare = path.split("?", 1)[0]
    return f"{method} {_SECRET_PART.sub(lambda found: f'/{found[1]}/…', bare)}"


def _date(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=timezone.utc)
