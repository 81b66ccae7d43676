"""Which requests are sent again, and when. Pure."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

#: The longest pause in seconds that a server's Retry-After is obeyed for; what asks for more fails at once.
LONGEST_PAUSE = 60.0
_FIRST_BACKOFF, _LONGEST_BACKOFF = 0.25, 20.0
_PASSING = frozenset((429, 502, 503, 504))

#: The writes that take an Idempotency-Key.
_KEYED = {
    "POST": re.compile(r"/api/v1/(bot/(messages(/ephemeral)?|agent_runs|execution_tasks|responses/[^/]+)|webhooks/incoming/[^/]+|client/conversations/[^/]+/messages)"),
    "PATCH": re.compile(r"/api/v1/bot/execution_tasks/[^/]+"),
}
#: Parts of paths that are secrets themselves. Ids are none.
_SECRET_PART = re.compile(r"/(incoming|responses|modals|storage|invites|portal)/[^/]+")


def takes_key(method: str, path: str) -> bool:
    """Whether this write takes an Idempotency-Key; `path` has no query."""
    pattern = _KEYED.get(method)
    return pattern is not None and pattern.fullmatch(path) is not None


def may_pass(status: int, repeatable: bool) -> bool:
    """
    Whether an answer is worth another try. 429 refuses before anything is done, so every request may be repeated after it; after
    the others, and after no answer (0), the first try may have had its effect.
    """
    return status == 429 or (repeatable and (status == 0 or status in _PASSING))


def pause_before(failures: int, asked: float | None) -> float:
    """
    The pause before the next try in seconds: what the server asked for and up to a quarter more, so that those who were refused
    together do not come back together; else a random part of an interval that doubles. `failures` counts from 1.
    """
    if asked is not None:
        return asked + random.uniform(0, min(asked / 4, 5.0))
    interval = float(min(_FIRST_BACKOFF * 2 ** (failures - 1), _LONGEST_BACKOFF))
    return interval * random.uniform(0.5, 1.0)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Retry-After in seconds: a number, or a date, which is taken relative to the answer's own Date."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    at = _date(text)
    if at is None:
        return None
    sent = _date(headers.get("date", "")) or datetime.now(timezone.utc)
    return max(0.0, (at - sent).total_seconds())


def name_of(method: str, path: str) -> str:
    """`POST /api/v1/bot/messages`: without query, and without the secrets that some paths hold."""
    bare = path.split("?", 1)[0]
    return f"{method} {_SECRET_PART.sub(lambda found: f'/{found[1]}/…', bare)}"


def _date(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=timezone.utc)
