import { Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates, listPins, PinsAnswer, ShownMessages } from '@tieline/conversations';
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
import { PinAsBot } from './pin-as-bot.js';

const OK: OkAnswer = { ok: true };

/**
 * Pins of bots. They are charged as writes, not as messages
 * (docs/bots.md#read-delete-react-and-pin).
 */
@Controller('api/v1/bot')
@BotApi()
@RequiresScope('messages:write')
@HasOwnRate()
@ApiTags('bot: messages')
export class BotPinsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly pinAsBot: PinAsBot,
    private readonly shown: ShownMessages,
  ) {}

  /**
   * Pins a message of a conversation that the bot is a member of. A conversation has at most 100
   * pins, otherwise 409. Pinning again succeeds and emits no event.
   */
  @Put('messages/:message_id/pin')
  @ApiOperation({ operationId: 'pinMessage', summary: 'Pins a message, as a bot' })
  @Answers(OkAnswer)
  @documentErrors(403, 404, 409, 410, 429, 503)
  create(@Caller() bot: BotPrincipal, @UuidParam('message_id') messageId: string): Promise<OkAnswer> {
    return this.change('pin', bot, messageId);
  }

  /** Unpins a message, no matter who pinned it. Unpinning again succeeds and emits no event. */
  @Delete('messages/:message_id/pin')
  @ApiOperation({ operationId: 'unpinMessage', summary: 'Unpins a message, as a bot' })
  @Answers(OkAnswer)
  @documentErrors(403, 404, 410, 429, 503)
  delete(@Caller() bot: BotPrincipal, @UuidParam('message_id') messageId: string): Promise<OkAnswer> {
    return this.change('unpin', bot, messageId);
  }

  /** Lists the pinned messages of a conversation that the bot can read, latest pin first. */
  @Get('conversations/:id/pins')
  @RequiresScope('messages:read')
  @ApiOperation({
    operationId: 'listPins',
    summary: 'Lists pinned messages, as a bot',
  })
  @Answers(PinsAnswer)
  @documentErrors(403, 404)
  async list(@Caller() bot: BotPrincipal, @UuidParam('id') id: string): Promise<PinsAnswer> {
    return { ok: true, pins: await listPins(this.db, this.shown, bot, id) };
  }

  private async change(change: 'pin' | 'unpin', bot: BotPrincipal, messageId: string): Promise<OkAnswer> {
    await this.rates.write(bot, () => this.pinAsBot.run(bot, change, messageId));
    return OK;
  }
}
