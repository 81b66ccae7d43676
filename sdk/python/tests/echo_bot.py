"""Repeats what is said, slowly enough to be killed meanwhile."""

import time

from tieline import Bot
from tieline.bot import EventContext

bot = Bot()


@bot.message(r"^say (.+)")
def say(ctx: EventContext) -> None:
    time.sleep(0.02)
    ctx.reply(f"said {ctx.match[1] if ctx.match else None}")


bot.start()
