"""An app that answers `ping` in every space that installs it, for apps/e2e."""

import os

from tieline import App, Bot, EventContext, FileStore, InstalledSpace


def set_up(bot: Bot, space: InstalledSpace) -> None:
    @bot.message(r"^ping$")
    def ping(ctx: EventContext) -> None:
        ctx.client.join(ctx.conversation_id)
        ctx.reply(f"pong from {space.space_name}")


scopes = ["messages:read", "messages:write", "conversations:join", "interactive", "events"]
app = App(scopes, set_up, store=FileStore(os.environ["TOKENS_FILE"]))
app.start()
