"""A bot: handlers, and a connection that delivers events to them."""

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
from .answers import AnswerState
from .commands import register_commands
from .contexts import Context
from .engine import Engine, Settings, by_conversation, is_outage, log, pause_after
from .forms import Form, Parts
from .handlers import CONTEXTS
from .incoming import IncomingEvent
from ..place import CursorFile, CursorStore
from .polling import Polling
from .receiver import Receiver
from .registration import Registration
from .runs import Run, TaskRun, Trigger
from .server import CallbackServer, wsgi
from .socket import Socket
from .tasks import Task, begin_task

Via = Literal["poll", "socket", "push", "callback"]
_ORDERS: Mapping[Any, Callable[[IncomingEvent], str | None]] = {
    "conversation": by_conversation,
    "none": lambda event: None,
}
#: Control characters except tab, and in tracebacks also line feed.
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_CONTROL_IN_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
OnError = Callable[[BaseException, Context], Any]


class Bot(Registration):
    """
    Handlers are registered with decorators. The same handlers work for every way of receiving
    events:

        bot = Bot()

        @bot.command("/hello")
        def hello(ctx):
            ctx.reply(f"Hello, <@{ctx.user_id}>")

        bot.start()

    Events of one conversation are handled in order, and each event once. A handler that raises is
    called again, with growing pauses. After `tries` its event is dropped, so that one bad event
    does not stop the others. A failure caused by an unreachable server is retried until the server
    is back.

    :param url: address of Tieline; default TIELINE_URL
    :param token: the bot's token; default TIELINE_TOKEN
    :param concurrency: maximum number of concurrent handlers
    :param tries: how often a handler may raise before its event is dropped
    :param order: events to handle in order; a function returns the same text for events that are
        in order with each other, and None for events without an order
    :param cursor: where a polling bot stores its cursor, a path or a store; default
        TIELINE_CURSOR_FILE, else a file in the working directory
    :param secrets: signing secrets of pushes, buttons and commands; default TIELINE_SECRETS,
        separated by commas
    :param on_error: called for dropped events; what it sends through `ctx` becomes the answer
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        client: Client | None = None,
        concurrency: int = 16,
        tries: int = 3,
        order: Literal["conversation", "none"] | Callable[[IncomingEvent], str | None] = "conversation",
        cursor: str | os.PathLike[str] | CursorStore | None = None,
        secrets: Sequence[str] | None = None,
        on_error: OnError | None = None,
    ) -> None:
        super().__init__()
        self.client = client or Client(url, token)
        self._cursor, self._on_error = cursor, on_error
        settings = Settings(concurrency, tries, _ORDERS.get(order, order), self._handle, self._tell_dropped)  # type: ignore[arg-type]
        self._engine = Engine(self.client, settings)
        known = os.environ.get("TIELINE_SECRETS", "").split(",") if secrets is None else secrets
        self.receiver = Receiver(self._engine, [one.strip() for one in known if one.strip()])
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._form: Form | None = None
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
        Runs the bot until SIGTERM, SIGINT or `stop`. Running handlers are finished, for `grace`
        seconds at most. Events not yet started are delivered again.

        :param via: `poll`, `socket`, `push` or `callback`; default TIELINE_VIA, else `poll`
        :param port: port for pushes and callbacks; default TIELINE_PORT, else 4000
        :param prepare: sets the bot's `event_delivery_mode`, and registers its commands if they
            need no callback address
        :param wait: False: returns when the bot has started; `stop` ends it
        :param host: the address to listen on; default TIELINE_HOST, else only this machine
        :raises TielineError: Tieline refuses the bot, or a command is defined wrongly
        """
        chosen = via or os.environ.get("TIELINE_VIA") or "poll"
        if chosen not in ("poll", "socket", "push", "callback"):
            raise ValueError(f"via is poll, socket, push or callback, not {chosen}")
        self._waits = wait
        if wait:
            _show_log()
        before = self._take_signals() if wait else {}
        try:
            bot = self._who_am_i()
            if self._stop.is_set():
                return
            if prepare:
                self._prepare(chosen, bot)
            self._form = self._form_for(chosen, str(bot["id"]), host, port)
            self._form.start()
            if not self._stop.is_set():
                log.info("ready: %s by %s", bot.get("display_name") or bot["id"], chosen)
            if wait:
                self._stop.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            if wait or self._form is None:
                self._end(grace)
        if self._failure is not None:
            raise self._failure

    def stop(self, grace: float = 10.0) -> None:
        """Stops the bot, from any thread. A blocked `start` then returns."""
        self._stop.set()
        if not self._waits:
            self._end(grace)

    @property
    def port(self) -> int:
        """The port of the server for callbacks and pushes."""
        if not isinstance(self._form, CallbackServer):
            raise RuntimeError("the bot does not listen")
        return self._form.port

    @property
    def wsgi_app(self) -> Callable[..., Any]:
        """Returns a WSGI application for pushes and callbacks, as an alternative to `start`."""
        return wsgi(self.receiver)

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
        Creates an agent run that answers a person's message, as a context manager: `with
        bot.run(ctx) as run:`. See `Run`.
        """
        kind = Run if task is None else TaskRun
        return kind(
            self.client, message, content=content, thread=thread, task=task, key=key, stopping=self._engine.stopping
        )

    def task(self, message: Trigger, title: str, *, key: str = "", **fields: Any) -> Task:
        """Creates a task in the thread of a message."""
        return begin_task(self.client, message.conversation_id, message.message_id, title, key, **fields)

    def _take_signals(self) -> dict[int, Any]:
        if threading.current_thread() is not threading.main_thread():
            return {}

        def ended(number: int, frame: FrameType | None) -> None:
            log.info("stopping")
            signal.signal(number, signal.SIG_DFL)  # the second overload is used
            self._stop.set()

        return {number: signal.signal(number, ended) for number in (signal.SIGTERM, signal.SIGINT)}

    def _who_am_i(self) -> Mapping[str, Any]:
        """Returns the bot's profile. Waits for a server that is still starting."""
        failures = 0
        while not self._stop.is_set():
            try:
                return self.client.me()
            except TielineError as error:
                if not is_outage(error):
                    raise
                log.warning("Tieline is away: %s", error)
                failures += 1
                self._stop.wait(pause_after(failures, error.retry_after))
        return {}

    def _prepare(self, via: str, bot: Mapping[str, Any]) -> None:
        now = str(bot["event_delivery_mode"])
        # A bot in mode `poll` never receives callbacks, whatever addresses are configured.
        mode = {"push": "webhook", "callback": "none" if now == "poll" else now}.get(via, "poll")
        if mode != now:
            self.client.set_mode(mode)
        if via != "callback":
            missing = self.handlers.event_types() - set(bot.get("event_types") or ())
            # Only admins choose the events. Warn about a handler that is never called.
            if missing:
                log.warning("an admin has to add to the bot's event_types: %s", ", ".join(sorted(missing)))
        if mode == "poll":
            for refusal in register_commands(self.client, str(bot["id"]), self.commands):
                log.error("not registered, and nobody can give this command: %s", refusal)

    def _form_for(self, via: str, bot_id: str, host: str | None, port: int | None) -> Form:
        parts = Parts(self.client, self._engine, self._fail, self._stop)
        if via == "poll":
            return Polling(parts, self._store(bot_id))
        if via == "socket":
            return Socket(parts)
        if not self.receiver.has_secrets:
            raise ValueError("who is called back needs signing secrets: Bot(secrets=…), or TIELINE_SECRETS")
        address = (os.environ.get("TIELINE_HOST") or "127.0.0.1") if host is None else host
        return CallbackServer(self.receiver, address, int(os.environ.get("TIELINE_PORT", "4000")) if port is None else port)

    def _store(self, bot_id: str) -> CursorStore:
        given = self._cursor or os.environ.get("TIELINE_CURSOR_FILE") or f".tieline-cursor-{bot_id}"
        return CursorFile(given) if isinstance(given, str | os.PathLike) else given

    def _fail(self, error: BaseException) -> None:
        log.error("Tieline refuses the bot: %s", error)
        self._failure = error
        self._stop.set()

    def _end(self, grace: float) -> None:
        form, self._form = self._form, None
        if form is not None:
            form.close()
        if not self._engine.stop(grace):
            log.warning("handlers that took too long are left alone; what they worked on comes again")
        if form is not None:
            form.end()
        self.client.close()

    def _handle(self, event: IncomingEvent, answering: AnswerState) -> None:
        context = self._context(event, answering)
        if not self.handlers.handle(context) and event.kind not in ("event", "closed"):
            log.warning("nothing is registered for %s %s", event.type, event.name)

    def _tell_dropped(self, error: BaseException, event: IncomingEvent, answering: AnswerState) -> None:
        if self._on_error is not None:
            self._on_error(error, self._context(event, answering))

    def _context(self, event: IncomingEvent, answering: AnswerState) -> Context:
        return CONTEXTS[event.kind](self.client, event, self._engine.stopping, answering)


def _show_log() -> None:
    """Logs to stderr if the program has not configured logging."""
    if not log.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(printable())
        log.addHandler(handler)
        log.setLevel(logging.INFO)


class _Printable(logging.Formatter):
    """
    Shows control characters as `\\x1b`: texts written by others must not steer a terminal or
    forge a line.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        return _CONTROL.sub(lambda one: f"\\x{ord(one[0]):02x}", super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        return _CONTROL_IN_LINES.sub(lambda one: f"\\x{ord(one[0]):02x}", super().formatException(ei))


def printable() -> logging.Formatter:
    """Returns the log formatter for terminals."""
    return _Printable("%(asctime)s %(levelname)s %(message)s")
