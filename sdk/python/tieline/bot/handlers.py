"""Routes of a bot. The first matching route handles an activity."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .contexts import ClickContext, CommandContext, Context, EventContext, OptionsContext, SubmitContext
from .activity import Activity, Kind

#: A name, a prefix followed by `*`, or a regular expression.
Pattern = str | re.Pattern[str]
Next = Callable[[], None]
#: Runs around every handler, in the order of `use`. Stops the activity if it does not call `next`.
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
    """A handler and the activities it handles."""

    kind: Kind
    pattern: Pattern
    run: Callable[[Any], Any]
    #: Additional condition. None: every activity with the name.
    accepts: Callable[[Any], bool] | None = None


class Handlers:
    """The routes of a bot."""

    def __init__(self) -> None:
        self._routes: list[Route] = []
        self._middleware: list[Middleware] = []

    def add(self, route: Route) -> None:
        """
        Adds a route after the existing ones.

        :raises ValueError: another route has the same pattern, so that this one would never be
            called
        """
        if route.accepts is None and any(
            (one.kind, one.pattern, one.accepts) == (route.kind, route.pattern, None) for one in self._routes
        ):
            name = route.pattern if isinstance(route.pattern, str) else route.pattern.pattern
            raise ValueError(f"there is already a handler for {route.kind} {name}")
        self._routes.append(route)

    def use(self, middleware: Middleware) -> None:
        """Adds middleware inside the existing ones."""
        self._middleware.append(middleware)

    def event_types(self) -> set[str]:
        """Returns the plain types that must be in the bot's `event_types` for its handlers."""
        named = {route.pattern for route in self._routes if route.kind == "event" and isinstance(route.pattern, str)}
        return {name for name in named if not name.endswith("*") and name not in DIRECT_EVENTS}

    def handle(self, context: Context) -> bool:
        """Runs the matching route. Returns whether there was one."""
        route = self._route(context.happening, context)

        def step(position: int) -> None:
            if position < len(self._middleware):
                self._middleware[position](context, lambda: step(position + 1))
            elif route is not None:
                route.run(context)

        step(0)
        return route is not None

    def _route(self, activity: Activity, context: Context) -> Route | None:
        fitting = (one for one in self._routes if one.kind == activity.kind and matches_pattern(one.pattern, activity.name))
        return next((one for one in fitting if one.accepts is None or one.accepts(context)), None)


def matches_pattern(pattern: Pattern, name: str) -> bool:
    """Whether a pattern matches a name."""
    if not isinstance(pattern, str):
        return pattern.search(name) is not None
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


#: Events that a bot receives whatever its `event_types` are (docs/events.md#direct-events).
#: `APPROVAL_DECIDED` is another event.
DIRECT_EVENTS = frozenset({"agent_run.stop_requested", "approval.decided", "shortcut.used", "home.action"})


def event_type(name: str) -> str:
    """Converts `message.created` to `MESSAGE_CREATED`. Direct events keep their names."""
    return name if name in DIRECT_EVENTS else name.upper().replace(".", "_")
