"""The server's limits, checked when an object is built. Lengths count characters (code points)."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

ACTION_ID = re.compile(r"[a-z0-9_-]{1,64}", re.ASCII)


class LimitError(ValueError):
    """An object breaks a rule of the server. `place` names the part."""

    def __init__(self, place: str, rule: str) -> None:
        super().__init__(f"{place}: {rule}")
        self.place, self.rule = place, rule

    def within(self, place: str) -> LimitError:
        """Returns the error with `place` as the outer part."""
        return LimitError(f"{place}.{self.place}", self.rule)


def check_text(place: str, text: Any, most: int, *, least: int = 0) -> str:
    """Checks the length of a text. With a minimum, it must not be blank."""
    if not isinstance(text, str) or len(text) > most or (least and not text.strip()):
        span = f"{least} to {most}" if least else f"up to {most}"
        raise LimitError(place, f"must be a text of {span} characters")
    return text


def check_action_id(text: Any) -> str:
    """Checks the name of an element."""
    if not isinstance(text, str) or not ACTION_ID.fullmatch(text):
        raise LimitError("action_id", "must match ^[a-z0-9_-]{1,64}$")
    return text


def check_list(place: str, items: Sequence[Any], most: int, *, least: int = 0) -> None:
    """Checks the length of a list."""
    if not least <= len(items) <= most:
        raise LimitError(place, f"must have {least} to {most} items" if least else f"at most {most}")


def check_once(place: str, items: Sequence[Mapping[str, Any]], key: str) -> None:
    """Checks that no two items have the same value of `key`."""
    seen: set[Any] = set()
    for index, item in enumerate(items):
        if item.get(key) in seen:
            raise LimitError(f"{place}[{index}].{key}", "appears twice")
        seen.add(item.get(key))


def check_https(place: str, url: Any, most: int) -> str:
    """Checks an https address."""
    parts = urlsplit(url) if isinstance(url, str) else None
    if parts is None or parts.scheme.lower() != "https" or not parts.hostname or len(url) > most:
        raise LimitError(place, "must be an HTTPS URL")
    return str(url)


def check_uuid(place: str, text: Any) -> str:
    """Checks an id."""
    try:
        uuid.UUID(text)
    except (ValueError, AttributeError, TypeError):
        raise LimitError(place, "must be a uuid") from None
    return str(text)


def check_date(place: str, text: Any) -> str:
    """Checks an existing date in the form YYYY-MM-DD."""
    if isinstance(text, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        try:
            datetime.date.fromisoformat(text)
            return text
        except ValueError:
            pass
    raise LimitError(place, "must be a valid date, as YYYY-MM-DD")


def check_time(place: str, text: Any) -> str:
    """Checks a time in the form HH:MM."""
    if not isinstance(text, str) or not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text, re.ASCII):
        raise LimitError(place, "must be a time of day, as HH:MM")
    return text


def given(**fields: Any) -> dict[str, Any]:
    """Returns the given fields without those that are None."""
    return {name: value for name, value in fields.items() if value is not None}
