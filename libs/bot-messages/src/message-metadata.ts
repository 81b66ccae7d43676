import { Injectable } from '@nestjs/common';
import { deliveryModeOf } from '@tieline/bots';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { interactiveBlocksUndeliverable } from './bot-messages.errors.js';
import type { Metadata } from './metadata.js';

/**
 * Who gives interactive blocks what they need before they are stored: schema, signed tokens. Asked only for metadata
 * that has such blocks, inside the transaction that writes the message, before the conversation is locked.
 */
export abstract class MessageMetadata {
  /**
   * @returns the JSON text to store
   * @throws 400 `interactive blocks need a callback_url or poll mode` when nobody could be told about a click
   */
  abstract prepare(tx: Tx, bot: BotPrincipal, metadata: Metadata): Promise<string>;
}

/** Accepts interactive blocks of bots in poll mode, as they are: without a callback URL there is no other way to tell the bot. */
@Injectable()
export class PollModeMetadata extends MessageMetadata {
  override async prepare(tx: Tx, { spaceId, botId }: BotPrincipal, metadata: Metadata): Promise<string> {
    if ((await deliveryModeOf(tx, spaceId, botId)) !== 'poll') throw interactiveBlocksUndeliverable();
    return metadata.json;
  }
}
