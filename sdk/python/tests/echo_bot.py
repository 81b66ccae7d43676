"""Repeats what is said, slowly enough to be killed meanwhile."""

import time

from tieline import Bot

bot = Bot()


@bot.message(r"^say (.+)")
def say(ctx):
    time.sleep(0.02)
    ctx.reply(f"said {ctx.match[1]}")


bot.start()
