import { Controller, Delete, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates, chatErrors, normalizeEmoji } from '@tieline/conversations';
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
import { reactAsBot } from './react-as-bot.js';

const OK: OkAnswer = { ok: true };

/**
 * Reactions of bots. They are charged as writes, not as messages
 * (docs/bots.md#read-delete-react-and-pin).
 */
@Controller('api/v1/bot/messages/:message_id/reactions')
@BotApi()
@RequiresScope('reactions:write')
@HasOwnRate()
@ApiTags('bot: messages')
export class BotReactionsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
  ) {}

  /**
   * Adds a reaction to a message of a conversation that the bot is a member of. Adding it again
   * succeeds and emits no event.
   */
  @Put(':emoji')
  @ApiOperation({ operationId: 'addReaction', summary: 'Adds a reaction of the bot to a message' })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 410, 429, 503)
  create(
    @Caller() bot: BotPrincipal,
    @UuidParam('message_id') messageId: string,
    @Param('emoji') emoji: string,
  ): Promise<OkAnswer> {
    return this.react('add', bot, messageId, emoji);
  }

  /** Removes the bot's reaction. Removing it again succeeds and emits no event. */
  @Delete(':emoji')
  @ApiOperation({ operationId: 'removeReaction', summary: "Removes the bot's reaction" })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 410, 429, 503)
  delete(
    @Caller() bot: BotPrincipal,
    @UuidParam('message_id') messageId: string,
    @Param('emoji') emoji: string,
  ): Promise<OkAnswer> {
    return this.react('remove', bot, messageId, emoji);
  }

  private async react(
    change: 'add' | 'remove',
    bot: BotPrincipal,
    messageId: string,
    text: string,
  ): Promise<OkAnswer> {
    const emoji = normalizeEmoji(text);
    if (emoji === undefined) throw chatErrors.invalidEmoji();
    await this.rates.write(bot, () => reactAsBot(this.db, change, bot, { messageId, emoji }));
    return OK;
  }
}
