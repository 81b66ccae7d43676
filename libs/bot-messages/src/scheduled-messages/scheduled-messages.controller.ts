import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { idempotencyKeyOf } from '@tieline/idempotency';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  HasOwnRate,
  HeaderText,
  OkAnswer,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { repeatLookup } from '../in-tx-once.js';
import type { KeyedRequest } from '../in-tx-once.js';
import {
  ListScheduledQuery,
  parseScheduledMessage,
  ScheduleMessageDto,
} from './dto/scheduled-message.dto.js';
import { cancelScheduled, listScheduled, ScheduleMessage } from './schedule-message.js';
import {
  ScheduledMessageAnswer,
  ScheduledMessagesPage,
  scheduledMessageView,
} from './scheduled-message.view.js';

/** Messages that bots want posted later (docs/bots.md#schedule-a-message). */
@Controller('api/v1/bot/scheduled_messages')
@BotApi()
@RequiresScope('messages:write')
@HasOwnRate()
@ApiTags('bot: messages')
export class ScheduledMessagesController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly scheduleMessage: ScheduleMessage,
  ) {}

  /**
   * Schedules a message, at most 120 days ahead. With `Idempotency-Key`, a repeat within 24 hours
   * returns the first result.
   */
  @Post()
  @ApiOperation({ operationId: 'scheduleMessage', summary: 'Schedules a message, at most 120 days ahead' })
  @HttpCode(200)
  @ApiBody({ type: ScheduleMessageDto })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'A-Z a-z 0-9 . _ : - and at most 128 characters',
  })
  @Answers(ScheduledMessageAnswer)
  @documentErrors(400, 403, 409, 413, 429, 503)
  async create(
    @Caller() bot: BotPrincipal,
    @Body() body: object,
    @HeaderText('idempotency-key') header?: string,
  ): Promise<ScheduledMessageAnswer> {
    const scheduled = parseScheduledMessage(body);
    const request: KeyedRequest = {
      operation: 'schedule',
      key: idempotencyKeyOf(header, undefined),
      meaning: { ...scheduled, postAt: scheduled.postAt.toISOString() },
    };
    const schedule = () => this.scheduleMessage.run(bot, scheduled, request);
    return {
      ok: true,
      scheduled_message: await this.rates.write(bot, schedule, repeatLookup(this.db, bot, request)),
    };
  }

  /**
   * Lists what the bot has scheduled and what could not be posted within the last seven days, in
   * the order of creation. Posted messages are not included.
   */
  @Get()
  @ApiOperation({ operationId: 'listScheduledMessages', summary: "Lists the bot's scheduled messages" })
  @Answers(ScheduledMessagesPage)
  @documentErrors(400)
  async list(
    @Caller() bot: BotPrincipal,
    @Query() query: ListScheduledQuery,
  ): Promise<ScheduledMessagesPage> {
    const { rows, nextCursor } = await listScheduled(this.db, bot, query);
    return { ok: true, scheduled_messages: rows.map(scheduledMessageView), next_cursor: nextCursor };
  }

  /** Deletes a scheduled message. 404 if it has been posted. */
  @Delete(':id')
  @ApiOperation({ operationId: 'deleteScheduledMessage', summary: 'Deletes a scheduled message' })
  @Answers(OkAnswer)
  @documentErrors(404, 429, 503)
  async delete(@Caller() bot: BotPrincipal, @UuidParam('id') id: string): Promise<OkAnswer> {
    await this.rates.write(bot, () => cancelScheduled(this.db, bot, id));
    return { ok: true };
  }
}
