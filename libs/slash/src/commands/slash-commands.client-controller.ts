import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Caller, ClientApi, documentAnswer } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { BuiltinCommands } from '../builtins/builtin-commands.js';
import { listedView } from './slash-command.view.js';
import { commandsOfSpace } from './slash-commands.queries.js';

/** Which slash commands people's clients can offer (decisions, section 5). */
@Controller('api/v1/client/commands')
@ClientApi()
@ApiTags('client: slash commands')
export class SlashCommandsClientController {
  constructor(
    private readonly db: Db,
    private readonly builtins: BuiltinCommands,
  ) {}

  /** Every command that can be given in the space, built-in ones included, by name. */
  @Get()
  @ApiOperation({ summary: 'Every slash command of the space, built-in ones included' })
  @documentAnswer({
    ok: true,
    commands: [
      {
        name: 'deploy',
        description: 'Deploys a service',
        usage_hint: '<service> [version]',
        bot_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11',
        is_builtin: false,
      },
    ],
  })
  async list(@Caller() { spaceId }: UserPrincipal) {
    const commands = [...this.builtins.all, ...(await commandsOfSpace(this.db, spaceId))].map(listedView);
    return { ok: true, commands: commands.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }
}
