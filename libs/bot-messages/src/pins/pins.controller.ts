import { Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  BotRateSettings,
  botWriteRule,
  listPins,
  PinMessage,
  PinsAnswer,
  ShownMessages,
} from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  OkAnswer,
  UuidParam,
  HasOwnRate,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { pinAsBot } from './pin-as-bot.js';

const OK: OkAnswer = { ok: true };

/** Pins of bots (decisions, section 11.4). They count as writes, not as messages. */
@Controller('api/v1/bot')
@BotApi()
@HasOwnRate()
@ApiTags('bot: messages')
export class BotPinsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRateSettings,
    private readonly limiter: RateLimiter,
    private readonly pinMessage: PinMessage,
    private readonly shown: ShownMessages,
  ) {}

  /**
   * Pins a message of a conversation that the bot is a member of; 100 a conversation, else 409.
   * Repeating is fine and makes no event.
   */
  @Put('messages/:message_id/pin')
  @ApiOperation({ operationId: 'pinMessage', summary: 'Pins a message, as a bot' })
  @Answers(OkAnswer)
  @documentErrors(403, 404, 409, 410, 429, 503)
  pin(@Caller() bot: BotPrincipal, @UuidParam('message_id') messageId: string): Promise<OkAnswer> {
    return this.change('pin', bot, messageId);
  }

  /** Takes a pinned message down, whoever pinned it. Repeating is fine and makes no event. */
  @Delete('messages/:message_id/pin')
  @ApiOperation({ operationId: 'unpinMessage', summary: 'Unpins a message, as a bot' })
  @Answers(OkAnswer)
  @documentErrors(403, 404, 410, 429, 503)
  unpin(@Caller() bot: BotPrincipal, @UuidParam('message_id') messageId: string): Promise<OkAnswer> {
    return this.change('unpin', bot, messageId);
  }

  /** The pinned messages of a conversation that the bot can read, the last pinned first. */
  @Get('conversations/:id/pins')
  @ApiOperation({
    operationId: 'listPins',
    summary: 'Lists the pinned messages of a conversation that the bot can read',
  })
  @Answers(PinsAnswer)
  @documentErrors(403, 404)
  async list(@Caller() bot: BotPrincipal, @UuidParam('id') id: string): Promise<PinsAnswer> {
    return { ok: true, pins: await listPins(this.db, this.shown, bot, id) };
  }

  private async change(change: 'pin' | 'unpin', bot: BotPrincipal, messageId: string): Promise<OkAnswer> {
    await charged(this.limiter, [botWriteRule(this.rates, bot.botId)], () =>
      pinAsBot(this.db, this.pinMessage, change, bot, messageId),
    );
    return OK;
  }
}
