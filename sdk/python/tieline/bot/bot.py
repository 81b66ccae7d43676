"""A bot: handlers, and one way or another to learn of what happens."""

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
from .answers import Answering
from .commands import register_commands
from .contexts import Context
from .engine import Engine, Settings, by_conversation, is_outage, log, pause_after
from .forms import Form, Parts
from .handlers import CONTEXTS
from .happening import Happening
from ..place import CursorFile, CursorStore
from .polling import Polling
from .receiver import Receiver
from .registration import Registration
from .runs import Run, TaskRun, Trigger
from .server import CallbackServer, wsgi
from .socket import Socket
from .tasks import Task, begin_task

Via = Literal["poll", "socket", "push", "callback"]
_ORDERS: Mapping[Any, Callable[[Happening], str | None]] = {
    "conversation": by_conversation,
    "none": lambda happening: None,
}
#: All but the tab; of a traceback also but the end of a line.
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_CONTROL_IN_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
OnError = Callable[[BaseException, Context], Any]


class Bot(Registration):
    """
    Handlers are registered by decorators, and the same handlers run whichever way the bot learns of things:

        bot = Bot()

        @bot.command("/hello")
        def hello(ctx):
            ctx.reply(f"Hello, <@{ctx.user_id}>")

        bot.start()

    What happens in one conversation is handled in order, and each thing once. A handler that raises is called again, with pauses;
    after `tries` its event is dropped, so that one bad event doesn't stop the others. What fails because a server is away is
    repeated until it is back.

    :param url: where Tieline is; else TIELINE_URL
    :param token: the bot's token; else TIELINE_TOKEN
    :param concurrency: how many handlers run at once
    :param tries: how often a handler may raise before its event is dropped
    :param order: what is handled one after another; a function gives the same text for what is in order, None for what is in none
    :param cursor: where a polling bot keeps its place, a path or a store; else TIELINE_CURSOR_FILE, else a file in this folder
    :param secrets: signing secrets of the push address, of buttons and of commands; else TIELINE_SECRETS, separated by commas
    :param on_error: told of what is dropped; what it says by `ctx` is the answer
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        client: Client | None = None,
        concurrency: int = 16,
        tries: int = 3,
        order: Literal["conversation", "none"] | Callable[[Happening], str | None] = "conversation",
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
        Runs the bot until SIGTERM, SIGINT or `stop`: what runs is finished (for `grace` seconds at most), what was not begun comes
        again.

        :param via: `poll`, `socket`, `push` or `callback`; else TIELINE_VIA, else `poll`
        :param port: where pushes and callbacks arrive; else TIELINE_PORT, else 4000
        :param prepare: sets the bot's `event_delivery_mode`, and registers its commands where no callback address is needed
        :param wait: False: returns when the bot has begun; `stop` ends it
        :param host: the address to listen on; else TIELINE_HOST, else this machine alone
        :raises TielineError: Tieline refuses the bot, or the definition of a command
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
        """Ends the bot; from any thread. One that `start` waits for ends there."""
        self._stop.set()
        if not self._waits:
            self._end(grace)

    @property
    def port(self) -> int:
        """The port that a bot that is called back listens on."""
        if not isinstance(self._form, CallbackServer):
            raise RuntimeError("the bot does not listen")
        return self._form.port

    @property
    def wsgi_app(self) -> Callable[..., Any]:
        """A WSGI application for pushes and callbacks, instead of `start`."""
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
        """`with bot.run(ctx) as run:` an agent run that answers a person's message: see `Run`."""
        kind = Run if task is None else TaskRun
        return kind(
            self.client, message, content=content, thread=thread, task=task, key=key, stopping=self._engine.stopping
        )

    def task(self, message: Trigger, title: str, *, key: str = "", **fields: Any) -> Task:
        """A task in the thread of a message."""
        return begin_task(self.client, message.conversation_id, message.message_id, title, key, **fields)

    def _take_signals(self) -> dict[int, Any]:
        if threading.current_thread() is not threading.main_thread():
            return {}

        def ended(number: int, frame: FrameType | None) -> None:
            log.info("stopping")
            signal.signal(number, signal.SIG_DFL)  # the second one is meant
            self._stop.set()

        return {number: signal.signal(number, ended) for number in (signal.SIGTERM, signal.SIGINT)}

    def _who_am_i(self) -> Mapping[str, Any]:
        """A bot that starts together with Tieline waits for it."""
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
        # A bot in mode `poll` is never called back, whatever addresses Tieline knows of it.
        mode = {"push": "webhook", "callback": "none" if now == "poll" else now}.get(via, "poll")
        if mode != now:
            self.client.set_mode(mode)
        if via != "callback":
            missing = self.handlers.event_types() - set(bot.get("event_types") or ())
            # Only admins choose the events: a handler that is never called would be a riddle.
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

    def _handle(self, happening: Happening, answering: Answering) -> None:
        context = self._context(happening, answering)
        if not self.handlers.handle(context) and happening.kind not in ("event", "closed"):
            log.warning("nothing is registered for %s %s", happening.type, happening.name)

    def _tell_dropped(self, error: BaseException, happening: Happening, answering: Answering) -> None:
        if self._on_error is not None:
            self._on_error(error, self._context(happening, answering))

    def _context(self, happening: Happening, answering: Answering) -> Context:
        return CONTEXTS[happening.kind](self.client, happening, self._engine.stopping, answering)


def _show_log() -> None:
    """A program that has not decided where its log goes reads what the bot does on stderr."""
    if not log.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(printable())
        log.addHandler(handler)
        log.setLevel(logging.INFO)


class _Printable(logging.Formatter):
    """Shows control characters of a message as `\\x1b`: what others wrote must not steer a terminal or forge a line."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return _CONTROL.sub(lambda one: f"\\x{ord(one[0]):02x}", super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        return _CONTROL_IN_LINES.sub(lambda one: f"\\x{ord(one[0]):02x}", super().formatException(ei))


def printable() -> logging.Formatter:
    """How a bot's log is shown on a terminal."""
    return _Printable("%(asctime)s %(levelname)s %(message)s")
