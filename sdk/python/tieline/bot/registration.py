"""Registration of handlers: with decorators, or with the function as the second argument."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .contexts import ClickContext, CommandContext, EventContext, OptionsContext, SubmitContext
from .handlers import Handlers, Middleware, Pattern, Route, event_type
from .activity import Kind
from .messages import Choices, choices_of
from .options import CommandOption

#: Handler types by context, so that a type checker rejects a handler for another kind.
Command = TypeVar("Command", bound=Callable[[CommandContext], Any])
Click = TypeVar("Click", bound=Callable[[ClickContext], Any])
Submit = TypeVar("Submit", bound=Callable[[SubmitContext], Any])
Event = TypeVar("Event", bound=Callable[[EventContext], Any])
Suggest = TypeVar("Suggest", bound=Callable[[OptionsContext], Choices])
AnyHandler = TypeVar("AnyHandler", bound=Callable[..., Any])

_COMMAND = re.compile(r"/[^\s/]+")


class Registration:
    """The methods that register handlers. The first matching handler is called."""

    def __init__(self) -> None:
        self.handlers = Handlers()
        #: Settings of the commands, by name.
        self.commands: dict[str, dict[str, Any]] = {}

    def command(
        self,
        name: str,
        handler: Callable[[CommandContext], Any] | None = None,
        *,
        description: str | None = None,
        usage_hint: str | None = None,
        options: Sequence[CommandOption] | None = None,
    ) -> Callable[[Command], Command]:
        """
        Handles a slash command and registers it when the bot starts. Without `options` the text
        after the name is free.

        :param name: with the slash: `/order`
        :raises ValueError: the name has no slash, or the command already has a handler
        """
        if not _COMMAND.fullmatch(name):
            raise ValueError(f"write the command with its slash: {'/' + name.lstrip('/')!r}, not {name!r}")
        bare = name.removeprefix("/")
        given = {"description": description, "usage_hint": usage_hint, "options": options}
        self.commands[bare] = {key: value for key, value in given.items() if value is not None}
        return self._route("command", bare, handler)

    def click(
        self, action_id: Pattern, handler: Callable[[ClickContext], Any] | None = None
    ) -> Callable[[Click], Click]:
        """
        Handles clicks on a button. `action_id`: a name, a prefix followed by `*`, or a regular
        expression.
        """
        return self._route("click", action_id, handler)

    def select(
        self, action_id: Pattern, handler: Callable[[ClickContext], Any] | None = None
    ) -> Callable[[Click], Click]:
        """Handles selections in a menu, a list or a picker."""
        return self._route("select", action_id, handler)

    def submit(
        self, action_id: Pattern, handler: Callable[[SubmitContext], Any] | None = None
    ) -> Callable[[Submit], Submit]:
        """Handles a submitted form, by the `action_id` or the command that opened it."""
        return self._route("submit", action_id, handler)

    def closed(
        self, action_id: Pattern, handler: Callable[[SubmitContext], Any] | None = None
    ) -> Callable[[Submit], Submit]:
        """Handles a closed form with `notify_on_close`."""
        return self._route("closed", action_id, handler)

    def event(self, name: str, handler: Callable[[EventContext], Any] | None = None) -> Callable[[Event], Event]:
        """
        Handles an event: `message.created` or `MESSAGE_CREATED` (docs/events.md). `*`: all events.
        """
        return self._route("event", event_type(name), handler)

    def opened(self, handler: Event) -> Event:
        """
        Handles people who open the bot's direct chat. An admin adds `DM_OPENED` to the bot's
        `event_types` (docs/agents.md#opened-chats).
        """
        return self.event("DM_OPENED")(handler)

    def message(
        self, pattern: str | re.Pattern[str] | None = None, handler: Callable[[EventContext], Any] | None = None
    ) -> Callable[[Event], Event]:
        """Handles messages whose text matches the pattern. `ctx.match` contains the match."""
        if pattern is None:
            return self._route("event", "MESSAGE_CREATED", handler)
        expression = re.compile(pattern)

        def accepts(context: EventContext) -> bool:
            context.match = expression.search(context.text)
            return context.match is not None

        return self._route("event", "MESSAGE_CREATED", handler, accepts)

    def options(
        self, field: Pattern, handler: Callable[[OptionsContext], Choices] | None = None
    ) -> Callable[[Suggest], Suggest]:
        """
        Returns suggestions for an option or field while the person types: up to 25 texts, or pairs
        of name and value.
        """

        def register(suggest: Suggest) -> Suggest:
            add(suggest)
            return suggest

        def add(suggest: Callable[[OptionsContext], Choices]) -> None:
            def run(context: OptionsContext) -> None:
                context.suggest(choices_of(suggest(context)))

            self.handlers.add(Route("options", field, run))

        if handler is not None:
            add(handler)
        return register

    def use(self, middleware: Middleware) -> Middleware:
        """Adds middleware that runs around every handler: `def timed(ctx, next): …; next()`."""
        self.handlers.use(middleware)
        return middleware

    def _route(
        self,
        kind: Kind,
        pattern: Pattern,
        handler: Callable[[Any], Any] | None,
        accepts: Callable[[Any], bool] | None = None,
    ) -> Callable[[AnyHandler], AnyHandler]:
        def register(run: AnyHandler) -> AnyHandler:
            self.handlers.add(Route(kind, pattern, run, accepts))
            return run

        if handler is not None:
            register(handler)
        return register
