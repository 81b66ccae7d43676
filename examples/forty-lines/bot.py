"""A command, buttons, a form with errors at its fields, and an answer that takes a while. TIELINE_TOKEN=tlb_… python3 bot.py"""

import time

from tieline import Bot
from tieline.blocks import actions, section
from tieline.elements import button
from tieline.modals import modal, text, textarea

bot = Bot()


@bot.command("/release", description="Releases a version", usage_hint="<version>")
def release(ctx):
    if not ctx.text:
        return ctx.ephemeral("Usage: /release <version>")
    buttons = actions(button("ship", "Ship it", style="primary", data=ctx.text), button("drop", "Drop", style="danger"))
    return ctx.reply(f"Release {ctx.text}?", [section(f"Release **{ctx.text}**?"), buttons])


@bot.click("drop")
def drop(ctx):
    ctx.update(f"Dropped by <@{ctx.user_id}>.", blocks=[])


@bot.click("ship")
def ship(ctx):
    ticket = text("ticket", "Ticket", required=True, placeholder="OPS-4711")
    ctx.open_modal(modal(f"Ship {ctx.data}", ticket, textarea("notes", "Notes"), private_metadata=ctx.data))


@bot.submit("ship")
def shipped(ctx):
    if not ctx.values["ticket"].startswith("OPS-"):
        return ctx.errors({"ticket": "There is no such ticket: they begin with OPS-."})
    ctx.update(f"Shipping {ctx.private_metadata} …", blocks=[])
    ctx.later()  # the person waits no longer
    time.sleep(1)  # the work
    return ctx.reply(f"{ctx.private_metadata} is out ({ctx.values['ticket']}).")


bot.start()
