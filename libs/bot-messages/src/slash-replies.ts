import { Injectable } from '@nestjs/common';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { triggerNotFound } from './bot-messages.errors.js';
import type { BotMessageText } from './message-body.js';

/** Who knows the triggers of slash commands (contract, "Slash invocation delivery"). */
export abstract class SlashReplies {
  /**
   * Posts the final answer to a slash command where the command was given, and uses its trigger up, in the caller's
   * transaction. Membership of the bot is not needed: the trigger is the permission.
   * @returns the id of the message
   * @throws 404 unknown trigger, 403 another bot's, 410 expired or used
   */
  abstract reply(tx: Tx, bot: BotPrincipal, triggerId: string, text: BotMessageText): Promise<string>;
}

/** Where no slash commands are installed, no trigger was ever issued. */
@Injectable()
export class NoSlashReplies extends SlashReplies {
  override async reply(): Promise<string> {
    throw triggerNotFound();
  }
}
