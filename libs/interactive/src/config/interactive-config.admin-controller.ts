import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { requireBot } from '@tieline/bots';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, OkAnswer, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { disableInteractive } from './disable-interactive.js';
import { findConfig } from './interactive-config.queries.js';
import { InteractiveConfigAnswer, interactiveConfigAnswer } from './interactive-config.view.js';

/** Where a bot's clicks go, for admins to see and to clear (decisions, section 11.1). */
@Controller('api/v1/admin/bots/:id/interactive_config')
@AdminApi()
@ApiTags('admin: bots')
export class InteractiveConfigAdminController {
  constructor(private readonly db: Db) {}

  /** Never the secret. */
  @Get()
  @ApiOperation({
    operationId: 'getInteractiveConfigAsAdmin',
    summary: "Gets the callback address for a bot's clicks, if one is set",
  })
  @Answers(InteractiveConfigAnswer)
  @documentErrors(404)
  async show(
    @Caller() { spaceId }: AdminPrincipal,
    @UuidParam('id') botId: string,
  ): Promise<InteractiveConfigAnswer> {
    await requireBot(this.db, spaceId, botId);
    return interactiveConfigAnswer(await findConfig(this.db, spaceId, botId));
  }

  /** As the bot itself can: existing buttons stop working and stay so; the next configuration is a first one. */
  @Delete()
  @ApiOperation({
    operationId: 'deleteInteractiveConfigAsAdmin',
    summary: "Switches a bot's callbacks for clicks off; all its existing buttons stop working",
  })
  @Answers(OkAnswer)
  @documentErrors(404)
  async remove(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
  ): Promise<OkAnswer> {
    await requireBot(this.db, spaceId, botId);
    await disableInteractive(this.db, { spaceId, botId, origin });
    return { ok: true };
  }
}
