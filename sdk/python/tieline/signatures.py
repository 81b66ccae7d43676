"""
Creates and verifies signatures of all five schemes (docs/signing.md) over the raw bytes of a body.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

Scheme = Literal["outgoing", "bot_push", "incoming_native", "incoming_compat", "standard_webhooks"]
#: The part of a signature that is wrong.
Fault = Literal[
    "no_signature",
    "no_timestamp",
    "no_id",
    "malformed_timestamp",
    "timestamp_in_milliseconds",
    "too_old",
    "in_the_future",
    "malformed_signature",
    "wrong_signature",
]

SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
#: Maximum difference of a timestamp from now, in seconds.
TOLERANCE = 300.0

#: Minimum key length. Tieline's secrets have 32 bytes.
_MIN_KEY_BYTES = 16

_SERVICE = "x-service-signature"
#: Signature with the previous secret during a rotation. Standard Webhooks lists both in one header.
_PREVIOUS = "x-service-signature-previous"
_YEAR = 86_400 * 365


@dataclass(frozen=True)
class _Rules:
    signature: str
    timestamp: str
    prefix: str
    #: Signed text before the body, with placeholders for timestamp and id.
    before: str
    is_hex: bool = True


_RULES: Mapping[Scheme, _Rules] = {
    "outgoing": _Rules(_SERVICE, "x-service-timestamp", "sha256=", "v1:{0}:"),
    "bot_push": _Rules(_SERVICE, "x-service-timestamp", "v1=", "{0}."),
    "incoming_native": _Rules(_SERVICE, "x-service-timestamp", "sha256=", "{0}."),
    "incoming_compat": _Rules("x-compat-signature", "x-compat-request-timestamp", "v0=", "v0:{0}:"),
    "standard_webhooks": _Rules("webhook-signature", "webhook-timestamp", "v1,", "{1}.{0}.", is_hex=False),
}


class SignatureError(Exception):
    """A request that cannot be trusted. Text and `fault` are for logs: the sender gets only 401."""

    def __init__(self, scheme: Scheme, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.scheme: Scheme = scheme
        self.fault: Fault = fault


def signature(scheme: Scheme, secret: str, body: bytes, timestamp: int | str, message_id: str = "") -> str:
    """
    Returns the signature of a body with its prefix. `message_id` is used only by
    `standard_webhooks`.
    """
    rules = _RULES[scheme]
    signed = rules.before.format(timestamp, message_id).encode() + body
    digest = hmac.new(_key(scheme, secret), signed, hashlib.sha256)
    return rules.prefix + (digest.hexdigest() if rules.is_hex else base64.b64encode(digest.digest()).decode())


def sign(
    scheme: Scheme,
    secret: str,
    body: bytes | str,
    *,
    timestamp: int | str | None = None,
    message_id: str | None = None,
) -> dict[str, str]:
    """Returns the headers that sign a body. `timestamp` is in Unix seconds. Default: now."""
    raw = body.encode() if isinstance(body, str) else body
    at = str(int(time.time()) if timestamp is None else timestamp)
    identifier = message_id or str(uuid.uuid4())
    rules = _RULES[scheme]
    headers = {rules.timestamp: at, rules.signature: signature(scheme, secret, raw, at, identifier)}
    return {**headers, "webhook-id": identifier} if scheme == "standard_webhooks" else headers


def signed_request(
    scheme: Scheme, secret: str, body: Mapping[str, Any] | bytes, *, event: str = "", **more: Any
) -> tuple[dict[str, str], bytes]:
    """
    Builds headers and body of a POST like Tieline's, for tests of receivers. `event`:
    X-Service-Event. `more`: see `sign`.
    """
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"content-type": "application/json", "x-service-delivery-id": str(uuid.uuid4())}
    if event:
        headers["x-service-event"] = event
    return {**headers, **sign(scheme, secret, raw, **more)}, raw


def verify(
    secrets: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes,
    *,
    scheme: Scheme | None = None,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> Scheme:
    """
    Verifies a request in constant time. Call it before reading anything in the request.

    :param secrets: one secret, or several during a rotation
    :param headers: with names in any case
    :param body: the raw bytes; a body that was parsed and serialized again has another signature
    :param scheme: detected from the headers by default: Standard Webhooks if present, with the
        timestamp of the attempt, else `bot_push` or `outgoing`. The schemes of requests to Tieline,
        `incoming_native` and `incoming_compat`, must be given.
    :returns: the scheme
    :raises SignatureError: the request cannot be trusted; `fault` names the reason
    """
    if not isinstance(body, bytes | bytearray | memoryview):
        raise TypeError("body must be the raw bytes of the request")
    known = {name.lower(): value for name, value in headers.items()}
    chosen = scheme or _scheme_of(known)
    rules = _RULES[chosen]
    given = _signatures_of(chosen, known)
    if not given:
        raise SignatureError(chosen, "no_signature", f"the header {rules.signature} is missing")
    timestamp = _header(known, rules.timestamp)
    if timestamp is None:
        raise SignatureError(chosen, "no_timestamp", f"the header {rules.timestamp} is missing")
    message_id = known.get("webhook-id", "")
    if chosen == "standard_webhooks" and not message_id:
        raise SignatureError(chosen, "no_id", "the header webhook-id is missing")
    _check_age(chosen, timestamp, tolerance, time.time() if now is None else now)
    formed = [one for one in given if _is_formed(rules, one)]
    if not formed:
        raise SignatureError(chosen, "malformed_signature", f"the signature does not have the form {rules.prefix}…")
    keys = [secrets] if isinstance(secrets, str) else list(secrets)
    wanted = [signature(chosen, key, bytes(body), timestamp, message_id) for key in keys]
    # Compares all pairs, so that timing does not reveal which secret matched.
    if not any([hmac.compare_digest(one.encode(), other.encode()) for one in wanted for other in formed]):
        text = "the signature was made with another secret, body or timestamp"
        raise SignatureError(chosen, "wrong_signature", text)
    return chosen


def is_genuine(
    secrets: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes,
    *,
    scheme: Scheme | None = None,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> bool:
    """Like `verify`, but returns a boolean."""
    try:
        verify(secrets, headers, body, scheme=scheme, tolerance=tolerance, now=now)
        return True
    except SignatureError:
        return False


def _scheme_of(known: Mapping[str, str]) -> Scheme:
    if "webhook-signature" in known:
        return "standard_webhooks"
    return "bot_push" if known.get(_SERVICE, "").startswith("v1=") else "outgoing"


def _header(known: Mapping[str, str], name: str) -> str | None:
    """Returns a header. The scheme `incoming_compat` has a second spelling."""
    return known.get(name, known.get(name.replace("x-compat", "x-slack")))


def _signatures_of(scheme: Scheme, known: Mapping[str, str]) -> list[str]:
    """Returns all signatures to check. During a rotation there are two."""
    rules = _RULES[scheme]
    texts = [_header(known, rules.signature), known.get(_PREVIOUS) if rules.signature == _SERVICE else None]
    shown = [text for text in texts if text]
    return [one for text in shown for one in text.split()] if scheme == "standard_webhooks" else shown


def _is_formed(rules: _Rules, text: str) -> bool:
    form = r"[0-9a-f]{64}" if rules.is_hex else r"[0-9A-Za-z+/]{43}="
    return text.startswith(rules.prefix) and re.fullmatch(form, text[len(rules.prefix) :]) is not None


def _check_age(scheme: Scheme, timestamp: str, tolerance: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,15}", timestamp, re.ASCII):
        raise SignatureError(scheme, "malformed_timestamp", "the timestamp must be Unix seconds in plain digits")
    age = now - int(timestamp)
    if abs(age) <= tolerance:
        return
    if abs(now - int(timestamp) / 1000) <= _YEAR:
        text = "the timestamp is in milliseconds: it must be Unix seconds"
        raise SignatureError(scheme, "timestamp_in_milliseconds", text)
    allowed = f"{tolerance:.0f} are allowed; check the clocks"
    if age > 0:
        raise SignatureError(scheme, "too_old", f"the timestamp is {age:.0f} seconds old, {allowed}")
    raise SignatureError(scheme, "in_the_future", f"the timestamp is {-age:.0f} seconds in the future, {allowed}")


def _key(scheme: Scheme, secret: str) -> bytes:
    """
    Derives the key from a secret. Standard Webhooks decodes the part after `whsec_`, the others use
    the whole text.

    :raises ValueError: the key is empty or short enough to guess
    """
    if scheme != "standard_webhooks":
        key = secret.encode()
    else:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except binascii.Error as error:
            raise ValueError("a secret of Standard Webhooks must be whsec_ followed by base64") from error
    if len(key) < _MIN_KEY_BYTES:
        raise ValueError(f"a signing secret must have at least {_MIN_KEY_BYTES} bytes")
    return key
