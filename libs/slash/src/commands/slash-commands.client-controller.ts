import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, RequiresScope } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { BuiltinCommands } from '../builtins/builtin-commands.js';
import { ListedCommandsAnswer, listedView } from './slash-command.view.js';
import { commandsOfSpace } from './slash-commands.queries.js';

/** Lists slash commands for people's chat clients. */
@Controller('api/v1/client/commands')
@ClientApi()
@RequiresScope('commands')
@ApiTags('person: slash commands')
export class SlashCommandsClientController {
  constructor(
    private readonly db: Db,
    private readonly builtins: BuiltinCommands,
  ) {}

  /** Sorted by name. */
  @Get()
  @ApiOperation({
    operationId: 'listCommandsAsPerson',
    summary: 'Lists the slash commands of the space, including built-in ones',
  })
  @Answers(ListedCommandsAnswer)
  async list(@Caller() { spaceId }: UserPrincipal): Promise<ListedCommandsAnswer> {
    const commands = [...this.builtins.all, ...(await commandsOfSpace(this.db, spaceId))].map(listedView);
    return { ok: true, commands: commands.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }
}
