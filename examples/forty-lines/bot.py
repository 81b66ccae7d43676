"""`/deploy version:1.4.2`: buttons, a validated form and a long-running reply."""

import re
import time

from tieline import Bot, CommandContext, CommandOption, SubmitContext, fields, modal
from tieline.blocks import actions
from tieline.elements import button

bot = Bot()  # reads TIELINE_URL and TIELINE_TOKEN
VERSION: CommandOption = {"name": "version", "type": "string", "required": True, "autocomplete": True}


@bot.command("/deploy", description="Deploys a version", options=[VERSION])
def deploy(ctx: CommandContext) -> None:
    version = ctx.options["version"]
    row = actions(button("deploy", "Deploy", style="primary", data=version), button("drop", "Drop it", data=version))
    ctx.reply(f"Deploy {version}?", [row])


VERSIONS = ("1.4.1", "1.4.2", "1.5.0")
bot.options("version", lambda ctx: [one for one in VERSIONS if one.startswith(ctx.typed)])
bot.click("drop", lambda ctx: ctx.delete())
ticket = fields.text("ticket", "Ticket", required=True)
bot.click("deploy", lambda ctx: ctx.open_modal(modal(f"Deploy {ctx.data}", [ticket], private_metadata=ctx.data)))


@bot.submit("deploy")
def submitted(ctx: SubmitContext) -> object:
    if not re.fullmatch(r"OPS-\d+", ctx.values["ticket"]):
        return ctx.errors({"ticket": "Looks like OPS-4711"})
    ctx.update(f"Deploying {ctx.private_metadata} …", [])
    ctx.later()
    time.sleep(1)  # the work
    return ctx.update(f"Deployed {ctx.private_metadata} for {ctx.values['ticket']}")


bot.start()  # polls; the same handlers work with TIELINE_VIA=socket, push or callback
