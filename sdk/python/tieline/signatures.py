"""Signatures of all five schemes (docs/signing.md), checked and made over the raw bytes of a body."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

Scheme = Literal["outgoing", "bot_push", "incoming_native", "incoming_compat", "standard_webhooks"]
Reason = Literal["missing", "malformed_timestamp", "timestamp_out_of_window", "mismatch"]

SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
#: Seconds that a timestamp may lie from this clock.
TOLERANCE = 300.0

_SERVICE = ("x-service-timestamp",)
_SERVICE_SIGNATURES = ("x-service-signature", "x-service-signature-previous")
_TIMESTAMP_HEADERS: Mapping[Scheme, tuple[str, ...]] = {
    "outgoing": _SERVICE,
    "bot_push": _SERVICE,
    "incoming_native": _SERVICE,
    "incoming_compat": ("x-compat-request-timestamp", "x-slack-request-timestamp"),
    "standard_webhooks": ("webhook-timestamp",),
}
_SIGNATURE_HEADERS: Mapping[Scheme, tuple[str, ...]] = {
    "outgoing": _SERVICE_SIGNATURES,
    "bot_push": _SERVICE_SIGNATURES,
    "incoming_native": ("x-service-signature",),
    "incoming_compat": ("x-compat-signature", "x-slack-signature"),
    "standard_webhooks": ("webhook-signature",),
}
_PREFIX: Mapping[Scheme, str] = {
    "outgoing": "sha256=",
    "bot_push": "v1=",
    "incoming_native": "sha256=",
    "incoming_compat": "v0=",
    "standard_webhooks": "v1,",
}


class SignatureError(Exception):
    """A request that is not to be trusted. `reason` is for logs: whoever sent it is told nothing but 401."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason


def signature(scheme: Scheme, secret: str, body: bytes, timestamp: int | str, message_id: str = "") -> str:
    """The signature of a body, with its prefix. `message_id` counts for `standard_webhooks` alone."""
    at = str(timestamp).encode()
    if scheme in ("bot_push", "incoming_native"):
        signed = at + b"." + body
    elif scheme == "standard_webhooks":
        signed = message_id.encode() + b"." + at + b"." + body
    else:
        signed = (b"v1:" if scheme == "outgoing" else b"v0:") + at + b":" + body
    digest = hmac.new(_key(scheme, secret), signed, hashlib.sha256)
    if scheme == "standard_webhooks":
        return _PREFIX[scheme] + base64.b64encode(digest.digest()).decode()
    return _PREFIX[scheme] + digest.hexdigest()


def sign(
    scheme: Scheme, secret: str, body: bytes | str, *, timestamp: int | None = None, message_id: str | None = None
) -> dict[str, str]:
    """The headers that sign a body, as of now unless `timestamp` (Unix seconds) says otherwise."""
    raw = body.encode() if isinstance(body, str) else body
    at = int(time.time()) if timestamp is None else timestamp
    identifier = message_id or (str(uuid.uuid4()) if scheme == "standard_webhooks" else "")
    headers = {
        _TIMESTAMP_HEADERS[scheme][0]: str(at),
        _SIGNATURE_HEADERS[scheme][0]: signature(scheme, secret, raw, at, identifier),
    }
    if scheme == "standard_webhooks":
        headers["webhook-id"] = identifier
    return headers


def verify(
    scheme: Scheme,
    secrets: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> None:
    """
    Checks a request before anything in it is read.

    :param secrets: one, or several while a rotation overlaps; any of them will do
    :param headers: by names in any case
    :param body: the bytes as they came; a body that was parsed and written again has another signature
    :raises SignatureError: the request is not to be trusted; `reason` says why
    """
    if not isinstance(body, bytes | bytearray | memoryview):
        raise TypeError("body must be the raw bytes of the request")
    known = {name.lower(): value for name, value in headers.items()}
    timestamp = next((known[name] for name in _TIMESTAMP_HEADERS[scheme] if name in known), None)
    given = [one for name in _SIGNATURE_HEADERS[scheme] for one in _listed(scheme, known.get(name, ""))]
    if timestamp is None or not given or (scheme == "standard_webhooks" and "webhook-id" not in known):
        raise SignatureError("missing", f"there is no signature of the scheme {scheme}")
    _check_age(timestamp, tolerance, time.time() if now is None else now)
    keys = [secrets] if isinstance(secrets, str) else list(secrets)
    wanted = [signature(scheme, key, bytes(body), timestamp, known.get("webhook-id", "")) for key in keys if key]
    # All pairs, so that the time tells nothing about which secret it was.
    matches = [hmac.compare_digest(one.encode(), other.encode()) for one in wanted for other in given]
    if not any(matches):
        raise SignatureError("mismatch", "the signature is of another secret or another body")


def is_genuine(
    scheme: Scheme,
    secrets: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> bool:
    """What `verify` checks, as an answer instead of an exception."""
    try:
        verify(scheme, secrets, headers, body, tolerance=tolerance, now=now)
        return True
    except SignatureError:
        return False


def _check_age(timestamp: str, tolerance: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp, re.ASCII):
        raise SignatureError("malformed_timestamp", "the timestamp is no number of seconds")
    age = now - int(timestamp)
    if abs(age) > tolerance:
        raise SignatureError("timestamp_out_of_window", f"the timestamp is {age:.0f} seconds from this clock")


def _listed(scheme: Scheme, value: str) -> list[str]:
    """Standard Webhooks lists several signatures in one header while secrets overlap."""
    return value.split() if scheme == "standard_webhooks" else [value] if value else []


def _key(scheme: Scheme, secret: str) -> bytes:
    """Standard Webhooks decodes what follows `whsec_`; the others take the whole text."""
    if scheme != "standard_webhooks":
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise ValueError("a secret of Standard Webhooks is whsec_ and base64") from error
