"""What a bot does about what happens. The first route that fits is taken."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .contexts import ClickContext, CommandContext, Context, EventContext, OptionsContext, SubmitContext
from .happening import Happening, Kind

#: A name, a beginning of one with `*` behind it, or an expression.
Pattern = str | re.Pattern[str]
Next = Callable[[], None]
#: Runs around every handler, in the order of `use`; who doesn't call `next` ends it there.
Middleware = Callable[[Context, Next], Any]

CONTEXTS: dict[Kind, type[Context]] = {
    "event": EventContext,
    "click": ClickContext,
    "select": ClickContext,
    "submit": SubmitContext,
    "closed": SubmitContext,
    "command": CommandContext,
    "options": OptionsContext,
}


@dataclass(frozen=True)
class Route:
    """A handler with what it is for."""

    kind: Kind
    pattern: Pattern
    run: Callable[[Any], Any]
    #: Looks at more than the name; None: every one of that name.
    accepts: Callable[[Any], bool] | None = None


class Handlers:
    """All of a bot's."""

    def __init__(self) -> None:
        self._routes: list[Route] = []
        self._middleware: list[Middleware] = []

    def add(self, route: Route) -> None:
        """
        Adds a route behind those that are there.

        :raises ValueError: another route is for exactly the same, so that this one would never be called
        """
        if route.accepts is None and any(
            (one.kind, one.pattern, one.accepts) == (route.kind, route.pattern, None) for one in self._routes
        ):
            name = route.pattern if isinstance(route.pattern, str) else route.pattern.pattern
            raise ValueError(f"there is a handler already: {route.kind} {name}")
        self._routes.append(route)

    def use(self, middleware: Middleware) -> None:
        """Inside those that are there."""
        self._middleware.append(middleware)

    def event_types(self) -> set[str]:
        """The types that handlers of events are for, as far as they are named."""
        named = {route.pattern for route in self._routes if route.kind == "event" and isinstance(route.pattern, str)}
        return {name for name in named if not name.endswith("*")}

    def handle(self, context: Context) -> bool:
        """Whether there was a handler for it."""
        route = self._route(context.happening, context)

        def step(position: int) -> None:
            if position < len(self._middleware):
                self._middleware[position](context, lambda: step(position + 1))
            elif route is not None:
                route.run(context)

        step(0)
        return route is not None

    def _route(self, happening: Happening, context: Context) -> Route | None:
        fitting = (one for one in self._routes if one.kind == happening.kind and fits(one.pattern, happening.name))
        return next((one for one in fitting if one.accepts is None or one.accepts(context)), None)


def fits(pattern: Pattern, name: str) -> bool:
    """Whether the whole name is meant."""
    if not isinstance(pattern, str):
        return pattern.search(name) is not None
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def event_type(name: str) -> str:
    """`message.created` is `MESSAGE_CREATED`."""
    return name.upper().replace(".", "_")
