"""A bot: its handlers and the way it receives activities."""

from __future__ import annotations

import logging
import os
import re
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any, Literal, overload

from ..client import Client
from ..errors import TielineError
from .answers import Responder
from .approvals import AskResult, ask
from .commands import register_commands
from .contexts import Context
from .engine import Engine, Settings, by_conversation, is_outage, log, pause_after
from .connectors import Connector, ConnectorDependencies
from .handlers import CONTEXTS
from .activity import Activity
from ..cursors import CursorFile, CursorStore
from .polling import Polling
from .receiver import Receiver
from .registration import Registration
from .runs import Run, TaskRun, Trigger
from .server import HttpServer, wsgi
from .socket import Socket
from .stop_requests import StopRequests
from .tasks import Task, begin_task

Via = Literal["poll", "socket", "push", "callback"]
_ORDERS: Mapping[Any, Callable[[Activity], str | None]] = {
    "conversation": by_conversation,
    "none": lambda activity: None,
}
#: Control characters except the tab. In a traceback also except the line end.
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_CONTROL_IN_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
OnError = Callable[[BaseException, Context], Any]


class Bot(Registration):
    """
    A bot. Handlers are registered with decorators and work the same however the bot receives
    activities:

        bot = Bot()

        @bot.command("/hello")
        def hello(ctx):
            ctx.reply(f"Hello, <@{ctx.user_id}>")

        bot.start()

    Activities of one conversation are handled in order, and each once. A handler that raises is
    called again, with delays. After `tries` attempts its activity is dropped, so that it does not
    block others. Failures caused by an unavailable server are retried until it is back.

    :param url: address of Tieline. Default: TIELINE_URL
    :param token: token of the bot. Default: TIELINE_TOKEN
    :param concurrency: maximum number of concurrent handlers
    :param tries: failed attempts before an activity is dropped
    :param order: what is handled one at a time. A function returns the same text for activities to
        handle in order, and None for those without order
    :param cursor: where a polling bot stores its cursor: a path or a store. Default:
        TIELINE_CURSOR_FILE, else a file in the current folder
    :param secrets: signing secrets of the push address, buttons and commands. Default:
        TIELINE_SECRETS, separated by commas
    :param on_error: called for dropped activities. An answer it sends with `ctx` becomes the answer
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        client: Client | None = None,
        concurrency: int = 16,
        tries: int = 3,
        order: Literal["conversation", "none"] | Callable[[Activity], str | None] = "conversation",
        cursor: str | os.PathLike[str] | CursorStore | None = None,
        secrets: Sequence[str] | None = None,
        on_error: OnError | None = None,
    ) -> None:
        super().__init__()
        self.client = client or Client(url, token)
        self._cursor, self._on_error = cursor, on_error
        self._stops = StopRequests()
        order_of: Any = _ORDERS.get(order, order)
        settings = Settings(concurrency, tries, order_of, self._handle, self._report_dropped, self._stops.arrived)
        self._engine = Engine(self.client, settings)
        known = os.environ.get("TIELINE_SECRETS", "").split(",") if secrets is None else secrets
        self.receiver = Receiver(self._engine, [one.strip() for one in known if one.strip()])
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._connector: Connector | None = None
        self._waits = False

    def start(
        self,
        via: Via | None = None,
        *,
        host: str | None = None,
        port: int | None = None,
        prepare: bool = True,
        grace: float = 10.0,
        wait: bool = True,
    ) -> None:
        """
        Runs the bot until SIGTERM, SIGINT or `stop`. Running handlers may finish for up to `grace`
        seconds. Activities not yet started are delivered again.

        :param via: `poll`, `socket`, `push` or `callback`. Default: TIELINE_VIA, else `poll`
        :param port: port for pushes and callbacks. Default: TIELINE_PORT, else 4000
        :param prepare: sets the bot's `event_delivery_mode` and registers commands that need no
            callback address
        :param wait: False: returns when the bot has started; `stop` ends it
        :param host: address to listen on. Default: TIELINE_HOST, else this machine only
        :raises TielineError: Tieline refuses the bot or the definition of a command
        """
        chosen = via or os.environ.get("TIELINE_VIA") or "poll"
        if chosen not in ("poll", "socket", "push", "callback"):
            raise ValueError(f"unknown via {chosen!r}: use poll, socket, push or callback")
        self._waits = wait
        if wait:
            show_log()
        before = self._take_signals() if wait else {}
        try:
            bot = self._get_own_record()
            if self._stop.is_set():
                return
            if prepare:
                self._prepare(chosen, bot)
            self._connector = self._connector_for(chosen, str(bot["id"]), host, port)
            self._connector.start()
            if not self._stop.is_set():
                log.info("ready: %s by %s", bot.get("display_name") or bot["id"], chosen)
            if wait:
                self._stop.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            if wait or self._connector is None:
                self._end(grace)
        if self._failure is not None:
            raise self._failure

    def stop(self, grace: float = 10.0) -> None:
        """Stops the bot. May be called from any thread. A `start` that waits then returns."""
        self._stop.set()
        if not self._waits:
            self._end(grace)

    @property
    def port(self) -> int:
        """Port of the bot's server, for `callback` and `push`."""
        if not isinstance(self._connector, HttpServer):
            raise RuntimeError("the bot does not listen")
        return self._connector.port

    @property
    def wsgi_app(self) -> Callable[..., Any]:
        """WSGI application: receives pushes and callbacks, instead of `start`."""
        return wsgi(self.receiver.handle)

    @overload
    def run(
        self, message: Trigger, *, content: str | None = None, thread: bool = False, task: None = None, key: str = ""
    ) -> Run: ...

    @overload
    def run(
        self, message: Trigger, *, task: str, content: str | None = None, thread: bool = False, key: str = ""
    ) -> TaskRun: ...

    def run(
        self, message: Trigger, *, content: str | None = None, thread: bool = False, task: str | None = None, key: str = ""
    ) -> Run:
        """
        `with bot.run(ctx) as run:` runs the block as an agent run that answers a person's message:
        see `Run`.
        """
        kind = Run if task is None else TaskRun
        given: dict[str, Any] = {"content": content, "thread": thread, "task": task, "key": key}
        return kind(self.client, message, stopping=self._engine.stopping, stops=self._stops, **given)

    def task(self, message: Trigger, title: str, *, key: str = "", **fields: Any) -> Task:
        """Creates a task in the thread of a message."""
        return begin_task(self.client, message.conversation_id, message.message_id, title, key, **fields)

    def ask(self, conversation_id: str, title: str, *, external_id: str, **fields: Any) -> AskResult | None:
        """
        Asks people for an approval or an answer, and waits for it: hours or days, through outages
        and restarts. Call it again with the same `external_id` after a restart of the bot.
        `fields`: those of docs/approvals.md#create-an-approval, such as `text`, `tool`,
        `arguments`, `options`, `form`, `approvers`, `requested_by`, `expires_in_seconds`.

        :returns: None when the bot stops first
        """
        return ask(self.client, conversation_id, title, external_id, self._engine.stopping, **fields)

    def _take_signals(self) -> dict[int, Any]:
        if threading.current_thread() is not threading.main_thread():
            return {}

        def ended(number: int, frame: FrameType | None) -> None:
            log.info("stopping")
            signal.signal(number, signal.SIG_DFL)  # a second signal ends the process
            self._stop.set()

        return {number: signal.signal(number, ended) for number in (signal.SIGTERM, signal.SIGINT)}

    def _get_own_record(self) -> Mapping[str, Any]:
        """Gets the bot's own record. Waits for Tieline if both start together."""
        failures = 0
        while not self._stop.is_set():
            try:
                return self.client.me()
            except TielineError as error:
                if not is_outage(error):
                    raise
                log.warning("Tieline is unavailable: %s", error)
                failures += 1
                self._stop.wait(pause_after(failures, error.retry_after))
        return {}

    def _prepare(self, via: str, bot: Mapping[str, Any]) -> None:
        now = str(bot["event_delivery_mode"])
        # A bot in mode `poll` gets no callbacks, whatever addresses are set.
        mode = {"push": "webhook", "callback": "none" if now == "poll" else now}.get(via, "poll")
        if mode != now:
            self.client.set_mode(mode)
        if via != "callback":
            missing = self.handlers.event_types() - set(bot.get("event_types") or ())
            # Only admins select events. Warn about handlers that are never called.
            if missing:
                log.warning("an admin must add these to the bot's event_types: %s", ", ".join(sorted(missing)))
        if mode == "poll":
            for refusal in register_commands(self.client, str(bot["id"]), self.commands):
                log.error("command not registered: %s", refusal)

    def _connector_for(self, via: str, bot_id: str, host: str | None, port: int | None) -> Connector:
        parts = ConnectorDependencies(self.client, self._engine, self._fail, self._stop)
        if via == "poll":
            return Polling(parts, self._store(bot_id))
        if via == "socket":
            return Socket(parts)
        if not self.receiver.has_secrets:
            raise ValueError("receiving callbacks or pushes requires signing secrets: pass Bot(secrets=…) or set TIELINE_SECRETS")
        address = (os.environ.get("TIELINE_HOST") or "127.0.0.1") if host is None else host
        return HttpServer(self.receiver.handle, address, int(os.environ.get("TIELINE_PORT", "4000")) if port is None else port)

    def _store(self, bot_id: str) -> CursorStore:
        given = self._cursor or os.environ.get("TIELINE_CURSOR_FILE") or f".tieline-cursor-{bot_id}"
        return CursorFile(given) if isinstance(given, str | os.PathLike) else given

    def _fail(self, error: BaseException) -> None:
        log.error("Tieline refuses the bot: %s", error)
        self._failure = error
        self._stop.set()

    def _end(self, grace: float) -> None:
        connector, self._connector = self._connector, None
        if connector is not None:
            connector.close()
        if not self._engine.stop(grace):
            log.warning("some handlers did not end in time; their activities are delivered again")
        if connector is not None:
            connector.end()
        self.client.close()

    def _handle(self, activity: Activity, responder: Responder) -> None:
        context = self._context(activity, responder)
        if not self.handlers.handle(context) and activity.kind not in ("event", "closed"):
            log.warning("no handler for %s %s", activity.type, activity.name)

    def _report_dropped(self, error: BaseException, activity: Activity, responder: Responder) -> None:
        if self._on_error is not None:
            self._on_error(error, self._context(activity, responder))

    def _context(self, activity: Activity, responder: Responder) -> Context:
        return CONTEXTS[activity.kind](self.client, activity, self._engine.stopping, responder)


def show_log() -> None:
    """Logs to stderr if the program has not configured logging."""
    if not log.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(printable())
        log.addHandler(handler)
        log.setLevel(logging.INFO)


class _Printable(logging.Formatter):
    """
    Escapes control characters as `\\x1b`, because texts of others must not control a terminal or
    forge a log line.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        return _CONTROL.sub(lambda one: f"\\x{ord(one[0]):02x}", super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        return _CONTROL_IN_LINES.sub(lambda one: f"\\x{ord(one[0]):02x}", super().formatException(ei))


def printable() -> logging.Formatter:
    """Returns the formatter for a bot's log on a terminal."""
    return _Printable("%(asctime)s %(levelname)s %(message)s")
