import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { requireBot } from '@tieline/bots';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, OkAnswer, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { deleteCommand, deleteCommands } from './delete-command.js';
import { CommandsAnswer, commandView } from './slash-command.view.js';
import { commandsOfBot } from './slash-commands.queries.js';

/** What a bot has registered, for admins to see and to clear (decisions, section 11.1). */
@Controller('api/v1/admin/bots/:id/commands')
@AdminApi()
@ApiTags('admin: bots')
export class SlashCommandsAdminController {
  constructor(private readonly db: Db) {}

  /** By name, inactive ones included; never their secrets. */
  @Get()
  @ApiOperation({ operationId: 'listCommandsAsAdmin', summary: "Lists a bot's slash commands" })
  @Answers(CommandsAnswer)
  @documentErrors(404)
  async list(@Caller() { spaceId }: AdminPrincipal, @UuidParam('id') botId: string): Promise<CommandsAnswer> {
    await requireBot(this.db, spaceId, botId);
    return { ok: true, commands: (await commandsOfBot(this.db, spaceId, botId)).map(commandView) };
  }

  /** 200 also where there are none. */
  @Delete()
  @ApiOperation({
    operationId: 'deleteCommandsAsAdmin',
    summary: "Deletes all of a bot's slash commands; their names are free at once",
  })
  @Answers(OkAnswer)
  @documentErrors(404)
  async removeAll(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
  ): Promise<OkAnswer> {
    await requireBot(this.db, spaceId, botId);
    await deleteCommands(this.db, { spaceId, botId, origin });
    return { ok: true };
  }

  /** 404 when the bot has no such command. */
  @Delete(':command_id')
  @ApiOperation({
    operationId: 'deleteCommandAsAdmin',
    summary: 'Deletes a slash command of a bot; its name is free at once',
  })
  @Answers(OkAnswer)
  @documentErrors(404)
  async remove(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
    @UuidParam('command_id') id: string,
  ): Promise<OkAnswer> {
    await requireBot(this.db, spaceId, botId);
    await deleteCommand(this.db, { spaceId, botId, origin }, { id });
    return { ok: true };
  }
}
