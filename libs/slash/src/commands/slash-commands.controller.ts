import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { byBot } from '@tieline/bots';
import { botWriteRule, BotRateSettings } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { EgressPolicy } from '@tieline/egress';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  OkAnswer,
  RemoteAddress,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { SecretBox } from '@tieline/signing';
import { BuiltinCommands } from '../builtins/builtin-commands.js';
import { readNewCommand } from './new-command.js';
import { deleteCommand } from './delete-command.js';
import { RegisterCommandDto } from './dto/register-command.dto.js';
import { registerCommand } from './register-command.js';
import { CommandsAnswer, commandView, RegisteredCommandAnswer } from './slash-command.view.js';
import { nameReserved, notYourCommands } from '../slash.errors.js';
import { commandsOfBot } from './slash-commands.queries.js';

/** A bot's own slash commands (contract, "Custom slash commands"). Changes count as the bot's writes. */
@Controller('api/v1/bots/:bot_id/commands')
@BotApi()
@ApiTags('bot: slash commands')
@ApiParam({ name: 'bot_id', format: 'uuid', description: 'the calling bot' })
export class SlashCommandsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRateSettings,
    private readonly limiter: RateLimiter,
    private readonly box: SecretBox,
    private readonly policy: EgressPolicy,
    private readonly builtins: BuiltinCommands,
  ) {}

  /** A new secret comes by deleting the command and registering it again. */
  @Post()
  @ApiOperation({ summary: 'Registers a slash command; the answer shows its signing secret once' })
  @ApiBody({ type: RegisterCommandDto })
  @Answers(RegisteredCommandAnswer, { status: 201 })
  @documentErrors(400, 402, 403, 404, 409, 413, 429, 503)
  async register(
    @Caller() bot: BotPrincipal,
    @UuidParam('bot_id') botId: string,
    @Body() body: object,
    @RemoteAddress() ip: string,
  ): Promise<RegisteredCommandAnswer> {
    requireSelf(bot, botId);
    const command = readNewCommand(body);
    if (this.builtins.isReserved(command.name)) throw nameReserved();
    const registered = await this.charge(bot, () =>
      registerCommand(
        this.db,
        { box: this.box, policy: this.policy },
        { ...bot, origin: byBot(bot, ip) },
        command,
      ),
    );
    return { ok: true, command: commandView(registered.command), signing_secret: registered.signingSecret };
  }

  /** By name; never their secrets. */
  @Get()
  @ApiOperation({ summary: "Lists the bot's slash commands" })
  @Answers(CommandsAnswer)
  @documentErrors(403, 404)
  async list(@Caller() bot: BotPrincipal, @UuidParam('bot_id') botId: string): Promise<CommandsAnswer> {
    requireSelf(bot, botId);
    return { ok: true, commands: (await commandsOfBot(this.db, bot.spaceId, bot.botId)).map(commandView) };
  }

  /** 404 when the bot has none of this name. */
  @Delete(':name')
  @ApiOperation({ summary: 'Deletes a slash command; its name is free at once' })
  @Answers(OkAnswer)
  @documentErrors(403, 404, 429, 503)
  async remove(
    @Caller() bot: BotPrincipal,
    @UuidParam('bot_id') botId: string,
    @Param('name') name: string,
    @RemoteAddress() ip: string,
  ): Promise<OkAnswer> {
    requireSelf(bot, botId);
    await this.charge(bot, () => deleteCommand(this.db, { ...bot, origin: byBot(bot, ip) }, { name }));
    return { ok: true };
  }

  private charge<T>({ botId }: BotPrincipal, work: () => Promise<T>): Promise<T> {
    return charged(this.limiter, [botWriteRule(this.rates, botId)], work);
  }
}

/** The token must belong to the bot in the URL, whether or not there is such a bot. @throws 403 */
function requireSelf(bot: BotPrincipal, botId: string): void {
  if (bot.botId !== botId) throw notYourCommands();
}
