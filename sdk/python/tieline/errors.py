"""What every call raises."""

from __future__ import annotations

from typing import Any

_OUTAGES = frozenset((408, 425, 429, 502, 503, 504))
_REFUSALS = frozenset((400, 401, 403, 404, 409))


class TielineError(Exception):
    """
    An answer that is not 2xx, or no usable answer at all. Its text names the request and the reason, and never holds a token, a
    query or the secret part of an address.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "",
        field: str | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        #: The HTTP status; 0 when there was no usable answer.
        self.status = status
        #: A code of docs/errors.md; `http_<status>` for an answer without one. With status 0: `network_error`, `timeout`,
        #: `redirect_refused`, `invalid_answer` (no JSON).
        self.code = code
        #: The field of the request that is at fault, if one is.
        self.field = field
        #: How long the server asked to wait, in seconds.
        self.retry_after = retry_after
        #: `X-Request-Id` of the answer: what an operator finds in the logs.
        self.request_id = request_id
        #: The answer's body: parsed where it is JSON, else its text.
        self.body = body

    @property
    def is_outage(self) -> bool:
        """
        Whether a server that is away, or asks for patience, is at fault: the same request may succeed later. 500 is no outage: it may
        be this one request that breaks the server.
        """
        return self.code in ("network_error", "timeout") or self.status in _OUTAGES

    @property
    def is_refusal(self) -> bool:
        """Whether Tieline refuses whoever asks, so that nothing is gained by asking again: the token is revoked, the mode is another."""
        return self.status in _REFUSALS
