"""Methods for common tasks of bots, based on `call`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from .blocks import metadata
from .errors import TielineError

Json = dict[str, Any]
Blocks = Sequence[Mapping[str, Any]]


def metadata_json(blocks: Blocks) -> str:
    """Encodes blocks for a message. No blocks remove those that the message has."""
    return metadata(blocks) if blocks else ""


def segment(text: str) -> str:
    """Encodes a segment of a path."""
    return quote(text, safe="")


class Surface(ABC):
    """Methods of the client besides `call`. Lists are iterators that load pages as needed."""

    @abstractmethod
    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Json: ...

    @abstractmethod
    def list(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[Json]: ...

    def me(self) -> Json:
        """Returns the bot."""
        bot: Json = self.call("GET", "/api/v1/bot/me")["bot"]
        return bot

    def set_mode(self, mode: str) -> None:
        """Sets how the bot receives events: `none`, `poll` or `webhook`."""
        self.call("PATCH", "/api/v1/bot/me", {"event_delivery_mode": mode})

    def send(
        self,
        conversation_id: str,
        text: str,
        *,
        blocks: Blocks | None = None,
        thread: str | None = None,
        attachments: Sequence[Mapping[str, str]] | None = None,
        idempotency_key: str | None = None,
    ) -> Json:
        """Posts a message. `thread`: message to reply to. Returns `message_id`."""
        body: Json = {"conversation_id": conversation_id, "content": text}
        if blocks is not None:
            body["metadata_json"] = metadata_json(blocks)
        if thread:
            body["parent_message_id"] = thread
        if attachments:
            body["attachments"] = [*attachments]
        return self.call("POST", "/api/v1/bot/messages", body, idempotency_key=idempotency_key)

    def edit(self, message_id: str, text: str, *, blocks: Blocks = ()) -> Json:
        """
        Replaces text and blocks of one of the bot's messages. Without blocks, its blocks are
        removed.
        """
        body: Json = {"content": text}
        if blocks:
            body["metadata_json"] = metadata_json(blocks)
        return self.call("PATCH", f"/api/v1/bot/messages/{segment(message_id)}", body)

    def message(self, message_id: str) -> Json:
        """Returns a message."""
        answer = self.call("GET", f"/api/v1/bot/messages/{segment(message_id)}")
        found: Json = answer.get("message", answer)
        return found

    def delete(self, message_id: str) -> None:
        """Deletes one of the bot's messages."""
        self.call("DELETE", f"/api/v1/bot/messages/{segment(message_id)}")

    def ephemeral(
        self,
        conversation_id: str,
        user_id: str,
        text: str,
        *,
        blocks: Blocks | None = None,
        idempotency_key: str | None = None,
    ) -> Json:
        """Shows a message only to one member of the conversation. It is not stored."""
        body: Json = {"conversation_id": conversation_id, "user_id": user_id, "content": text}
        if blocks is not None:
            body["metadata_json"] = metadata_json(blocks)
        return self.call("POST", "/api/v1/bot/messages/ephemeral", body, idempotency_key=idempotency_key)

    def react(self, message_id: str, emoji: str) -> None:
        """Adds a reaction. Idempotent."""
        self.call("PUT", f"/api/v1/bot/messages/{segment(message_id)}/reactions/{segment(emoji)}")

    def unreact(self, message_id: str, emoji: str) -> None:
        """Removes a reaction of the bot."""
        self.call("DELETE", f"/api/v1/bot/messages/{segment(message_id)}/reactions/{segment(emoji)}")

    def pin(self, message_id: str) -> None:
        """Pins a message. Idempotent."""
        self.call("PUT", f"/api/v1/bot/messages/{segment(message_id)}/pin")

    def unpin(self, message_id: str) -> None:
        """Unpins a message."""
        self.call("DELETE", f"/api/v1/bot/messages/{segment(message_id)}/pin")

    def search(
        self,
        q: str = "",
        *,
        conversation_id: str | None = None,
        author_id: str | None = None,
        **filters: Any,
    ) -> Iterator[Json]:
        """
        Finds messages that the bot can read, newest first (docs/search.md). `filters`: `before`,
        `after`, `has`, `thread`, `limit`. With a filter, `q` may be empty.
        """
        query = {"limit": 50, "q": q, "in": conversation_id, "from": author_id, **filters}
        return self.list("/api/v1/bot/search/messages", query)

    def conversations(self, *, member: bool | None = None, q: str | None = None) -> Iterator[Json]:
        """
        Lists conversations of the bot (`member=True`), those it could join (`False`), or both. `q`:
        only those whose name contains these words.
        """
        return self.list("/api/v1/bot/conversations", {"member": member, "q": q})

    def members(self, conversation_id: str) -> Iterator[Json]:
        """Lists people and bots in a conversation."""
        return self.list(f"/api/v1/bot/conversations/{segment(conversation_id)}/members")

    def history(self, conversation_id: str, *, order: str = "newest", start: int | None = None, **filters: Any) -> Iterator[Json]:
        """
        Iterates over the messages of a conversation. Deleted ones have no text. `order`: `newest`
        or `oldest` first. `start`: the `msg_index` to continue from, exclusive. `filters`:
        `thread_id`, `updated_since`.
        """
        is_forward = order == "oldest"
        side = "after" if is_forward else "before"
        position = 0 if is_forward and start is None else start
        path = f"/api/v1/channels/{segment(conversation_id)}/messages"
        while True:
            page = self.call("GET", path, query={"limit": 200, **filters, f"{side}_msg_index": position})
            messages = page["messages"] if is_forward else page["messages"][::-1]
            yield from messages
            if not messages or not page.get(f"has_more_{side}"):
                return
            position = messages[-1]["msg_index"]

    def people(self, *, q: str | None = None) -> Iterator[Json]:
        """Lists the people of the space. `q`: only those whose name contains these words."""
        return self.list("/api/v1/bot/users", {"q": q})

    def find_person(self, email: str) -> Json | None:
        """
        Returns the active person with an e-mail address, if there is one and the space lets bots
        see addresses.
        """
        try:
            user: Json = self.call("GET", "/api/v1/bot/users/lookup", query={"email": email})["user"]
            return user
        except TielineError as error:
            if error.status == 404:
                return None
            raise

    def join(self, conversation_id: str) -> None:
        """Joins a public channel."""
        self.call("POST", f"/api/v1/bot/conversations/{segment(conversation_id)}/join")

    def dm(self, user_id: str) -> str:
        """Returns the id of the direct conversation with a person. Creates it if needed."""
        return str(self.call("POST", "/api/v1/bot/dm", {"user_id": user_id})["conversation_id"])

    def set_status(
        self,
        conversation_id: str,
        text: str,
        *,
        thread: str | None = None,
        loading_messages: Sequence[str] | None = None,
    ) -> None:
        """
        Shows what the bot is doing, until its next message there, at most two minutes
        (docs/agents.md#status).
        """
        body: Json = {"text": text}
        if thread:
            body["thread_id"] = thread
        if loading_messages:
            body["loading_messages"] = [*loading_messages]
        self.call("PUT", f"/api/v1/bot/conversations/{segment(conversation_id)}/status", body)

    def clear_status(self, conversation_id: str, *, thread: str | None = None) -> None:
        """Removes the bot's status."""
        path = f"/api/v1/bot/conversations/{segment(conversation_id)}/status"
        self.call("DELETE", path, query={"thread_id": thread})

    def set_prompts(
        self,
        conversation_id: str,
        prompts: Mapping[str, str],
        *,
        title: str | None = None,
        thread: str | None = None,
    ) -> None:
        """
        Suggests messages to people, by their titles, instead of those before. No prompts remove
        them (docs/agents.md#prompts).
        """
        body: Json = {"prompts": [{"title": name, "message": message} for name, message in prompts.items()]}
        if title:
            body["title"] = title
        if thread:
            body["thread_id"] = thread
        self.call("PUT", f"/api/v1/bot/conversations/{segment(conversation_id)}/prompts", body)

    def title_thread(self, root_message_id: str, title: str | None) -> None:
        """Sets the title of a message's thread. None removes it (docs/agents.md#titles)."""
        self.call("PATCH", f"/api/v1/bot/threads/{segment(root_message_id)}", {"title": title})

    def read_events(self, cursor: str = "", *, limit: int = 50, wait: int = 0) -> Json:
        """
        Reads a page of the bot's queue: `events` and `next_cursor`. For an empty page `next_cursor`
        is empty: keep the current cursor.
        """
        query = {"cursor": cursor, "limit": limit, "wait": wait}
        return self.call("GET", "/api/v1/bot/events", query=query, timeout=wait + 15.0, retries=0)

    def respond(self, interaction_id: str, answer: Mapping[str, Any]) -> Json:
        """Answers a polled click or form, once."""
        return self.call("POST", f"/api/v1/bot/interactions/{segment(interaction_id)}/respond", dict(answer))

    def respond_late(
        self, response_token: str, answer: Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> Json:
        """Answers a click, form or command later, up to five times within 30 minutes."""
        path = f"/api/v1/bot/responses/{segment(response_token)}"
        return self.call("POST", path, dict(answer), idempotency_key=idempotency_key)

    def register_command(self, bot_id: str, name: str, **fields: Any) -> Json:
        """
        Registers a command, or updates the bot's command of that name: `description`, `usage_hint`,
        `callback_url`, `options`.
        """
        path = f"/api/v1/bots/{segment(bot_id)}/commands"
        try:
            return self.call("POST", path, {"name": name, **fields})
        except TielineError as error:
            if error.code != "name_taken":
                raise
        return self.call("PATCH", f"{path}/{segment(name)}", fields)
