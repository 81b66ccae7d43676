"""Where an app keeps its tokens, one record per space."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from typing import Protocol

_LOCKS = 64


@dataclass(frozen=True)
class InstalledSpace:
    """What an app keeps of a space that installed it. Contains secrets."""

    space_id: str
    space_name: str
    bot_id: str
    #: Token of the bot in this space.
    token: str
    #: Unix seconds. None: the token does not expire.
    expires_at: float | None = None
    #: Renews the token. Works once.
    refresh_token: str | None = None


class TokenStore(Protocol):
    """Keeps the tokens of an app."""

    def get(self, space_id: str) -> InstalledSpace | None: ...

    def set(self, space: InstalledSpace) -> None:
        """Stores or replaces the record of a space."""

    def delete(self, space_id: str) -> None: ...

    def lock(self, space_id: str) -> AbstractContextManager[None]:
        """
        Holds a lock while the token of a space is renewed. In an app of several processes it must
        exclude the others: a refresh token that is used twice revokes the installation's tokens.
        """


class MemoryStore:
    """Keeps tokens in memory. A restart loses them, and every space must install the app again."""

    def __init__(self) -> None:
        self._spaces: dict[str, InstalledSpace] = {}
        self._locks = [threading.Lock() for _ in range(_LOCKS)]

    def get(self, space_id: str) -> InstalledSpace | None:
        return self._spaces.get(space_id)

    def set(self, space: InstalledSpace) -> None:
        self._spaces[space.space_id] = space

    def delete(self, space_id: str) -> None:
        self._spaces.pop(space_id, None)

    @contextmanager
    def lock(self, space_id: str) -> Iterator[None]:
        with self._locks[hash(space_id) % _LOCKS]:
            yield


class FileStore(MemoryStore):
    """
    Keeps tokens in a JSON file that only its owner can read. Replaces the file atomically. For one
    process.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__()
        self._path = os.fspath(path)
        self._changing = threading.Lock()
        try:
            with open(self._path, encoding="utf-8") as file:
                known = [InstalledSpace(**space) for space in json.load(file)]
        except FileNotFoundError:
            known = []
        self._spaces = {space.space_id: space for space in known}

    def set(self, space: InstalledSpace) -> None:
        with self._changing:
            self._save({**self._spaces, space.space_id: space})

    def delete(self, space_id: str) -> None:
        with self._changing:
            self._save({key: space for key, space in self._spaces.items() if key != space_id})

    def _save(self, spaces: dict[str, InstalledSpace]) -> None:
        unfinished = f"{self._path}.new"
        file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as text:
            json.dump([asdict(space) for space in spaces.values()], text, indent=2)
        os.replace(unfinished, self._path)
        self._spaces = spaces
