import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  HasOwnRate,
  OkAnswer,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { overlapOf, rotatedSecretView, RotateSecretDto } from '@tieline/signing';
import { Acting } from '@tieline/spaces';
import type { ActingBot } from '@tieline/spaces';
import { BuiltinCommands } from '../builtins/builtin-commands.js';
import { commandRef } from './command-ref.js';
import { readCommandUpdate, readNewCommand } from './new-command.js';
import { deleteCommand } from './delete-command.js';
import { RegisterCommandDto, UpdateCommandDto } from './dto/command.dto.js';
import { RegisterCommand } from './register-command.js';
import { RotateCommandSecret } from './callbacks/rotate-command-secret.js';
import {
  CommandAnswer,
  CommandsAnswer,
  commandView,
  RegisteredCommandAnswer,
  RotatedCommandSecretAnswer,
} from './slash-command.view.js';
import { nameReserved, notYourCommands } from '../slash.errors.js';
import { activeCommandsOfBot, findOwnCommand } from './slash-commands.queries.js';
import { UpdateCommand } from './update-command.js';

const COMMAND = { name: 'command_id', description: "the command's id or name" };

/** A bot's own slash commands. Changes count against the bot's write rate. */
@Controller('api/v1/bots/:bot_id/commands')
@BotApi()
@RequiresScope('commands')
@HasOwnRate()
@ApiTags('bot: slash commands')
@ApiParam({ name: 'bot_id', format: 'uuid', description: 'the calling bot' })
export class SlashCommandsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly builtins: BuiltinCommands,
    private readonly registerCommand: RegisterCommand,
    private readonly updateCommand: UpdateCommand,
    private readonly rotateCommandSecret: RotateCommandSecret,
  ) {}

  /** Use rotate_secret to get a new secret later. */
  @Post()
  @ApiOperation({
    operationId: 'registerCommand',
    summary: 'Registers a slash command; the response includes its signing secret once',
  })
  @ApiBody({ type: RegisterCommandDto })
  @Answers(RegisteredCommandAnswer, { status: 201 })
  @documentErrors(400, 402, 403, 404, 409, 413, 429, 503)
  async create(
    @Acting() bot: ActingBot,
    @UuidParam('bot_id') botId: string,
    @Body() body: object,
  ): Promise<RegisteredCommandAnswer> {
    requireSelf(bot, botId);
    const command = readNewCommand(body);
    if (this.builtins.isReserved(command.name)) throw nameReserved();
    const registered = await this.rates.write(bot, () => this.registerCommand.run(bot, command));
    return { ok: true, command: commandView(registered.command), signing_secret: registered.signingSecret };
  }

  /**
   * Sorted by name, without commands that a reset of the bot made inactive. Never includes secrets.
   */
  @Get()
  @ApiOperation({ operationId: 'listCommands', summary: "Lists the bot's slash commands" })
  @Answers(CommandsAnswer)
  @documentErrors(403, 404)
  async list(@Caller() bot: BotPrincipal, @UuidParam('bot_id') botId: string): Promise<CommandsAnswer> {
    requireSelf(bot, botId);
    const commands = await activeCommandsOfBot(this.db, bot.spaceId, bot.botId);
    return { ok: true, commands: commands.map(commandView) };
  }

  /** By id or name; 404 if the bot has no such command. */
  @Get(':command_id')
  @ApiOperation({ operationId: 'getCommand', summary: "Gets one of the bot's slash commands" })
  @ApiParam(COMMAND)
  @Answers(CommandAnswer)
  @documentErrors(403, 404)
  async get(
    @Caller() bot: BotPrincipal,
    @UuidParam('bot_id') botId: string,
    @Param('command_id') command: string,
  ): Promise<CommandAnswer> {
    requireSelf(bot, botId);
    return { ok: true, command: commandView(await findOwnCommand(this.db, bot, commandRef(command))) };
  }

  /** Changes the given fields, including the name. The secret and triggers stay valid. */
  @Patch(':command_id')
  @ApiOperation({ operationId: 'updateCommand', summary: 'Changes a slash command' })
  @ApiParam(COMMAND)
  @ApiBody({ type: UpdateCommandDto })
  @Answers(CommandAnswer)
  @documentErrors(400, 403, 404, 409, 413, 429, 503)
  async update(
    @Acting() bot: ActingBot,
    @UuidParam('bot_id') botId: string,
    @Param('command_id') command: string,
    @Body() body: object,
  ): Promise<CommandAnswer> {
    requireSelf(bot, botId);
    const change = readCommandUpdate(body);
    if (change.name !== undefined && this.builtins.isReserved(change.name)) throw nameReserved();
    const update = () => this.updateCommand.run(bot, commandRef(command), change);
    return { ok: true, command: commandView(await this.rates.write(bot, update)) };
  }

  /** With `overlap_seconds`, callbacks are also signed with the old secret for that time. */
  @Post(':command_id/rotate_secret')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateCommandSecret',
    summary: 'Replaces the signing secret of a slash command; the response includes it once',
  })
  @ApiParam(COMMAND)
  @ApiBody({ type: RotateSecretDto, required: false })
  @Answers(RotatedCommandSecretAnswer)
  @documentErrors(400, 403, 404, 413, 429, 503)
  async rotateSecret(
    @Acting() bot: ActingBot,
    @UuidParam('bot_id') botId: string,
    @Param('command_id') command: string,
    @Body() body: object | undefined,
  ): Promise<RotatedCommandSecretAnswer> {
    requireSelf(bot, botId);
    const overlap = overlapOf(body);
    const rotate = () => this.rotateCommandSecret.run(bot, commandRef(command), overlap);
    const rotated = await this.rates.write(bot, rotate);
    return { ok: true, ...rotatedSecretView(rotated), updated_at: rotated.updatedAt.toISOString() };
  }

  /** By id or name; 404 if the bot has no such command. */
  @Delete(':command_id')
  @ApiOperation({
    operationId: 'deleteCommand',
    summary: 'Deletes a slash command; its name becomes available immediately',
  })
  @ApiParam(COMMAND)
  @Answers(OkAnswer)
  @documentErrors(403, 404, 429, 503)
  async delete(
    @Acting() bot: ActingBot,
    @UuidParam('bot_id') botId: string,
    @Param('command_id') command: string,
  ): Promise<OkAnswer> {
    requireSelf(bot, botId);
    await this.rates.write(bot, () => deleteCommand(this.db, bot, commandRef(command)));
    return { ok: true };
  }
}

/**
 * Requires that the token belongs to the bot in the URL, whether or not that bot exists. @throws
 * 403
 */
function requireSelf(bot: BotPrincipal, botId: string): void {
  if (bot.botId !== botId) throw notYourCommands();
}
