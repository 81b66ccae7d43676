"""A bot that repeats messages, slowly enough to be killed in between."""

import time

from tieline import Bot
from tieline.bot import CommandContext, EventContext

bot = Bot()


@bot.message(r"^say (.+)")
def say(ctx: EventContext) -> None:
    time.sleep(0.02)
    ctx.reply(f"said {ctx.match[1] if ctx.match else None}")


@bot.command("/long", description="Takes its time after the answer")
def long(ctx: CommandContext) -> None:
    ctx.later()
    print("long begun", flush=True)
    time.sleep(1.5)
    ctx.reply("long done")


bot.start()
