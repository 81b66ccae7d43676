import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { requireBot } from '@tieline/bots';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { SetShortcutsDto, shortcutOf } from './dto/shortcuts.dto.js';
import { setShortcuts } from './set-shortcuts.js';
import { shortcutsOfBot } from './shortcuts.queries.js';
import { ShortcutsAnswer, shortcutsAnswer } from './shortcuts.view.js';

/** Lets admins read and replace the shortcuts of a bot (docs/slack-apps.md#shortcuts). */
@Controller('api/v1/admin/bots/:id/shortcuts')
@AdminApi()
@ApiTags('admin: bots')
export class ShortcutsAdminController {
  constructor(private readonly db: Db) {}

  /** By name. */
  @Get()
  @ApiOperation({ operationId: 'listShortcutsAsAdmin', summary: 'Lists the shortcuts of a bot' })
  @Answers(ShortcutsAnswer)
  @documentErrors(404)
  async list(
    @Caller() { spaceId }: AdminPrincipal,
    @UuidParam('id') botId: string,
  ): Promise<ShortcutsAnswer> {
    await requireBot(this.db, spaceId, botId);
    return shortcutsAnswer(await shortcutsOfBot(this.db, spaceId, botId));
  }

  /** Same as the bot's own endpoint. */
  @Put()
  @ApiOperation({
    operationId: 'setShortcutsAsAdmin',
    summary: 'Replaces the shortcuts of a bot, as an admin',
  })
  @Answers(ShortcutsAnswer)
  @documentErrors(400, 404)
  async update(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
    @Body() { shortcuts }: SetShortcutsDto,
  ): Promise<ShortcutsAnswer> {
    return shortcutsAnswer(
      await setShortcuts(this.db, { spaceId, botId, origin }, shortcuts.map(shortcutOf)),
    );
  }
}
