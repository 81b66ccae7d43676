"""The error of all calls."""

from __future__ import annotations

from typing import Any

_OUTAGES = frozenset((408, 425, 429, 502, 503, 504))
_REFUSALS = frozenset((400, 401, 403, 404, 409))


class TielineError(Exception):
    """
    A response other than 2xx, or no usable response. Its text names the request and the reason, and
    never contains tokens, queries or secret parts of an address.
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
        #: HTTP status. 0 without a usable response.
        self.status = status
        #: A code of docs/errors.md, or `http_<status>` for a response without one. With status 0:
        #: `network_error`, `timeout`, `redirect_refused`, `invalid_answer` (not JSON).
        self.code = code
        #: The invalid field of the request, if any.
        self.field = field
        #: How long the server asked to wait, in seconds.
        self.retry_after = retry_after
        #: `X-Request-Id` of the response, which operators find in the logs.
        self.request_id = request_id
        #: The response body: parsed JSON, or text.
        self.body = body

    @property
    def is_outage(self) -> bool:
        """
        Whether the server is unavailable or overloaded, so that the same request may succeed later.
        Not for 500, which may be caused by this request alone.
        """
        return self.code in ("network_error", "timeout") or self.status in _OUTAGES

    @property
    def is_refusal(self) -> bool:
        """
        Whether Tieline refuses the bot, so that retrying does not help: revoked token, wrong mode.
        """
        return self.status in _REFUSALS
