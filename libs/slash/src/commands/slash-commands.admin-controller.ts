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

/** Lets admins list and delete a bot's commands. */
@Controller('api/v1/admin/bots/:id/commands')
@AdminApi()
@ApiTags('admin: bots')
export class SlashCommandsAdminController {
  constructor(private readonly db: Db) {}

  /** Sorted by name, including inactive commands. Never includes secrets. */
  @Get()
  @ApiOperation({ operationId: 'listCommandsAsAdmin', summary: "Lists a bot's slash commands" })
  @Answers(CommandsAnswer)
  @documentErrors(404)
  async list(@Caller() { spaceId }: AdminPrincipal, @UuidParam('id') botId: string): Promise<CommandsAnswer> {
    await requireBot(this.db, spaceId, botId);
    return { ok: true, commands: (await commandsOfBot(this.db, spaceId, botId)).map(commandView) };
  }

  /** Returns 200 even if there are none. */
  @Delete()
  @ApiOperation({
    operationId: 'deleteCommandsAsAdmin',
    summary: "Deletes all of a bot's slash commands; their names become available immediately",
  })
  @Answers(OkAnswer)
  @documentErrors(404)
  async deleteAll(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
  ): Promise<OkAnswer> {
    await requireBot(this.db, spaceId, botId);
    await deleteCommands(this.db, { spaceId, botId, origin });
    return { ok: true };
  }

  /** 404 if the bot has no such command. */
  @Delete(':command_id')
  @ApiOperation({
    operationId: 'deleteCommandAsAdmin',
    summary: 'Deletes a slash command of a bot; its name becomes available immediately',
  })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
    @UuidParam('command_id') id: string,
  ): Promise<OkAnswer> {
    await requireBot(this.db, spaceId, botId);
    await deleteCommand(this.db, { spaceId, botId, origin }, { id });
    return { ok: true };
  }
}
