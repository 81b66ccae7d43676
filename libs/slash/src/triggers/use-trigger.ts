import {
  noteOriginal,
  triggerExpired,
  triggerNotFound,
  triggerOfAnotherBot,
  triggerUsed,
} from '@tieline/interactive';
import type { Tx } from '@tieline/platform/database';
import { isUuid } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { lockTrigger, markUsed } from './slash-triggers.js';

/**
 * Where to post the answer to a command. The trigger is the permission: post with access `granted`.
 */
export interface AnswerPlace {
  conversationId: string;
  /** Root message when the command was invoked in a thread. */
  threadId: string | undefined;
}

/**
 * Uses a trigger for the final answer to a command, in the caller's transaction. A rollback makes
 * the trigger usable again. Of concurrent calls one succeeds.
 * @param messageId the message that the caller then posts; late answers can change it
 * @throws 404 unknown; 403 another bot's; 410 used or expired
 */
export async function useTrigger(
  tx: Tx,
  bot: Pick<BotPrincipal, 'spaceId' | 'botId'>,
  triggerId: string,
  messageId: string,
): Promise<AnswerPlace> {
  const trigger = isUuid(triggerId) ? await lockTrigger(tx, bot.spaceId, triggerId) : undefined;
  if (!trigger) throw triggerNotFound();
  if (trigger.botId !== bot.botId) throw triggerOfAnotherBot();
  if (trigger.isUsed) throw triggerUsed();
  if (trigger.isExpired) throw triggerExpired();
  await markUsed(tx, bot.spaceId, triggerId);
  await noteOriginal(tx, { spaceId: bot.spaceId, triggerId: triggerId.toLowerCase(), messageId });
  return { conversationId: trigger.conversationId, threadId: trigger.threadId ?? undefined };
}
