"""The error that every call raises."""

from __future__ import annotations

from typing import Any

_OUTAGES = frozenset((408, 425, 429, 502, 503, 504))
_REFUSALS = frozenset((400, 401, 403, 404, 409))


class TielineError(Exception):
    """
    A response that is not 2xx, or no usable response. Its text names the request and the
    reason, and never contains a token, a query or the secret part of an address.
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
        #: The HTTP status, or 0 without a usable response.
        self.status = status
        #: A code of docs/errors.md, or `http_<status>` for a response without one. With status 0:
        #: `network_error`, `timeout`, `redirect_refused`, `invalid_answer` (no JSON).
        self.code = code
        #: The invalid field of the request, if any.
        self.field = field
        #: How long to wait according to the server, in seconds.
        self.retry_after = retry_after
        #: `X-Request-Id` of the response, to find the request in the server's logs.
        self.request_id = request_id
        #: The response body: parsed JSON, else text.
        self.body = body

    @property
    def is_outage(self) -> bool:
        """
        Whether the server is unreachable or asks to wait, so that the same request may
        succeed later. 500 is not an outage, because the request itself may cause it.
        """
        return self.code in ("network_error", "timeout") or self.status in _OUTAGES

    @property
    def is_refusal(self) -> bool:
        """
        Whether Tieline refuses the caller, so that retrying does not help: a revoked token,
        or another mode.
        """
        return self.status in _REFUSALS
