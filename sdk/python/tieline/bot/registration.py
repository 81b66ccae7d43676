"""How handlers are registered: by decorators, or with the function as the second argument."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .contexts import ClickContext, CommandContext, EventContext, OptionsContext, SubmitContext
from .handlers import Handlers, Middleware, Pattern, Route, event_type
from .happening import Kind
from .messages import Choices, choices_of

F = TypeVar("F", bound=Callable[..., Any])


class Registration:
    """The part of a bot that its author writes against. The first handler that fits is taken."""

    def __init__(self) -> None:
        self.handlers = Handlers()
        #: What commands are registered with, by their names.
        self.commands: dict[str, dict[str, Any]] = {}

    def command(
        self,
        name: str,
        handler: Callable[[CommandContext], Any] | None = None,
        *,
        description: str | None = None,
        usage_hint: str | None = None,
        options: Sequence[dict[str, Any]] | None = None,
    ) -> Callable[[F], F]:
        """Somebody gave the command, which is registered when the bot starts. `options`: typed ones, else the text is free."""
        bare = name.removeprefix("/")
        given = {"description": description, "usage_hint": usage_hint, "options": options}
        self.commands[bare] = {key: value for key, value in given.items() if value is not None}
        return self._route("command", bare, handler)

    def click(self, action_id: Pattern, handler: Callable[[ClickContext], Any] | None = None) -> Callable[[F], F]:
        """A button was clicked. `action_id`: a name, a beginning with `*`, or an expression."""
        return self._route("click", action_id, handler)

    def select(self, action_id: Pattern, handler: Callable[[ClickContext], Any] | None = None) -> Callable[[F], F]:
        """Something was chosen."""
        return self._route("select", action_id, handler)

    def submit(self, action_id: Pattern, handler: Callable[[SubmitContext], Any] | None = None) -> Callable[[F], F]:
        """A form was submitted. `action_id`: of the click that opened it, or the name of the command."""
        return self._route("submit", action_id, handler)

    def closed(self, action_id: Pattern, handler: Callable[[SubmitContext], Any] | None = None) -> Callable[[F], F]:
        """A form with `notify_on_close` was left."""
        return self._route("closed", action_id, handler)

    def event(self, name: str, handler: Callable[[EventContext], Any] | None = None) -> Callable[[F], F]:
        """Something happened in a conversation: `message.created`, or `MESSAGE_CREATED` (docs/events.md); `*`: anything."""
        return self._route("event", event_type(name), handler)

    def message(
        self, pattern: str | re.Pattern[str] | None = None, handler: Callable[[EventContext], Any] | None = None
    ) -> Callable[[F], F]:
        """A message whose text has the pattern in it; what it found is `ctx.match`."""
        expression = None if pattern is None else re.compile(pattern)

        def accepts(context: EventContext) -> bool:
            if expression is not None:
                context.match = expression.search(context.text)
            return expression is None or context.match is not None

        return self._route("event", "MESSAGE_CREATED", handler, accepts)

    def options(self, field: Pattern, handler: Callable[[OptionsContext], Choices] | None = None) -> Callable[[F], F]:
        """Somebody types into this option or field; the handler returns up to 25 texts, or pairs of name and value."""

        def register(suggest: F) -> F:
            def run(context: OptionsContext) -> None:
                context.suggest(choices_of(suggest(context)))

            self.handlers.add(Route("options", field, run))
            return suggest

        if handler is not None:
            register(handler)
        return register

    def use(self, middleware: Middleware) -> Middleware:
        """Runs around every handler: `def timed(ctx, next): …; next()`."""
        self.handlers.use(middleware)
        return middleware

    def _route(
        self,
        kind: Kind,
        pattern: Pattern,
        handler: Callable[[Any], Any] | None,
        accepts: Callable[[Any], bool] = lambda context: True,
    ) -> Callable[[F], F]:
        def register(run: F) -> F:
            self.handlers.add(Route(kind, pattern, run, accepts))
            return run

        if handler is not None:
            register(handler)
        return register
