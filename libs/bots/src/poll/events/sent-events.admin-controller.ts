import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, documentErrors, invalidField, pageOf, UuidParam } from '@tieline/platform/http';
import { Acting, recordReading } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { findBot } from '../../accounts/bots.queries.js';
import { idFloor } from '../poll-ids.js';
import { SentEventsQuery } from './sent-events.query.js';
import { LIST_SENT_EVENTS } from './sent-events.statements.js';
import { SentEventsPage, sentEventView } from './sent-events.view.js';

const HOUR_MS = 3_600_000;
const LAST_ID = '9223372036854775807';

/** The events queued for a bot, for admins. */
@Controller('api/v1/admin/bots/:id/events')
@AdminApi()
@ApiTags('admin: bots')
export class SentEventsAdminController {
  constructor(private readonly db: Db) {}

  /**
   * Lists the events that were added to the bot's queue within the last hour, newest first. Only
   * bots in mode `poll` have any.
   */
  @Get()
  @ApiOperation({
    operationId: 'listBotEventsAsAdmin',
    summary: 'Lists the events queued for a polling or socket bot within the last hour, newest first',
  })
  @Answers(SentEventsPage)
  @documentErrors(400, 404)
  async list(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') id: string,
    @Query() { limit, cursor }: SentEventsQuery,
  ): Promise<SentEventsPage> {
    if (!/^\d{0,18}$/.test(cursor) && !(/^\d{19}$/.test(cursor) && cursor <= LAST_ID))
      throw invalidField('cursor', 'invalid cursor');
    await findBot(this.db, spaceId, id);
    const subject = { spaceId, objectType: 'bot', objectId: id };
    await recordReading(this.db, { ...origin, ...subject, action: 'bot.events_read', changes: {} });
    const since = idFloor(new Date(Date.now() - HOUR_MS));
    const page = { spaceId, botId: id, since, before: cursor || LAST_ID, limit: limit + 1 };
    const found = await this.db.query(LIST_SENT_EVENTS, page);
    const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
    return { ok: true, events: rows.map(sentEventView), next_cursor: nextCursor };
  }
}
