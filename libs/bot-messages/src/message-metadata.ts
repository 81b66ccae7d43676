import { Injectable } from '@nestjs/common';
import { ComponentSigner } from '@tieline/interactive';
import type { Metadata } from '@tieline/interactive';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';

/**
 * Who gives interactive blocks what they need before they are stored: signed tokens. Asked only for metadata that has
 * such blocks, inside the transaction that writes the message, before the conversation is locked.
 */
export abstract class MessageMetadata {
  /**
   * @returns the JSON text to store
   * @throws 400 `interactive blocks need a callback_url or poll mode` when nobody could be told about a click
   */
  abstract prepare(tx: Tx, bot: BotPrincipal, metadata: Metadata): Promise<string>;
}

/** Signs with the bot's buttons signing secret, or in poll mode with a key of its own. */
@Injectable()
export class SignedMetadata extends MessageMetadata {
  constructor(private readonly signer: ComponentSigner) {
    super();
  }

  override prepare(tx: Tx, bot: BotPrincipal, metadata: Metadata): Promise<string> {
    return this.signer.sign(tx, bot, metadata);
  }
}
