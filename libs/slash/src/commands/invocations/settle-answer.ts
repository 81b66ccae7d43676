import { findMessage } from '@tieline/conversations';
import type { CreateMessage } from '@tieline/conversations';
import { createEphemeral, noteOriginal } from '@tieline/interactive';
import type { ComponentSigner, EphemeralMessage, Metadata } from '@tieline/interactive';
import { runRepeatable } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { CommandAnswer } from './callback-answer.js';
import { conversationRefused } from '../../slash.errors.js';
import { lockTrigger, markUsed } from '../../triggers/slash-triggers.js';
import type { Trigger } from '../../triggers/slash-triggers.js';

/** Dependencies for posting an answer. */
export interface AnswerParts {
  createMessage: CreateMessage;
  signer: ComponentSigner;
  /** Notifies the waiting request of the outcome, as the last step of the transaction. */
  notify?(tx: Tx, settled: SettledTrigger): Promise<void>;
}

/** The trigger to answer, and the person who ran the command. */
export interface AnsweredTrigger {
  spaceId: string;
  triggerId: string;
  userId: string;
}

export type SyncText = Extract<CommandAnswer, { kind: 'text' }>;

/**
 * The outcome of a synchronous text: `late` if the bot had already used the trigger, `gone` if the
 * bot has been disabled.
 */
export type SettledTrigger =
  | { kind: 'shown'; message?: EphemeralMessage }
  | { kind: 'posted'; messageId: string }
  | { kind: 'late' }
  | { kind: 'gone' };

/**
 * Applies a bot's synchronous answer and uses the trigger. An `in_channel` answer is posted as the
 * bot in the conversation of the command, whether or not the bot is a member. An expired trigger is
 * accepted, because the callback has its own timeout.
 * @throws 400 for interactive blocks whose clicks could not be delivered to the bot; 403 if the
 *   conversation has been archived; the trigger stays unused in both cases
 */
export async function settleAnswer(
  db: Db,
  parts: AnswerParts,
  { spaceId, triggerId, userId }: AnsweredTrigger,
  answer: SyncText,
): Promise<SettledTrigger> {
  const messageId = uuidv7();
  let last: SettledTrigger | undefined;
  return runRepeatable(
    db,
    async (tx, isRepeat): Promise<SettledTrigger> => {
      const trigger = await lockTrigger(tx, spaceId, triggerId);
      if (!trigger?.botIsActive) return { kind: 'gone' };
      if (trigger.isUsed)
        return isRepeat ? repeatedOutcome(tx, spaceId, messageId, { answer, last }) : { kind: 'late' };
      await markUsed(tx, spaceId, triggerId);
      last = await applyAnswer(tx, parts, { spaceId, triggerId, messageId, userId }, trigger, answer);
      await parts.notify?.(tx, last);
      return last;
    },
    { spaceId, place: triggerId },
  );
}

async function applyAnswer(
  tx: Tx,
  parts: AnswerParts,
  ids: AnsweredTrigger & { messageId: string },
  trigger: Trigger,
  answer: SyncText,
): Promise<SettledTrigger> {
  const { spaceId, messageId, userId } = ids;
  if (answer.responseType === 'ephemeral') {
    const { botId, conversationId } = trigger;
    const { text, metadata } = answer;
    if (!metadata) return { kind: 'shown' };
    const place = { spaceId, botId, userId, conversationId };
    return { kind: 'shown', message: await createEphemeral(tx, parts.signer, { ...place, text, metadata }) };
  }
  await noteOriginal(tx, ids);
  await post(tx, parts, spaceId, trigger, { ...answer, messageId });
  return { kind: 'posted', messageId };
}

/**
 * Determines the outcome after our COMMIT may have been lost: the trigger was used by this answer
 * or by the bot. An ephemeral answer can be shown in both cases.
 */
async function repeatedOutcome(
  tx: Tx,
  spaceId: string,
  messageId: string,
  { answer, last }: { answer: SyncText; last: SettledTrigger | undefined },
): Promise<SettledTrigger> {
  if (answer.responseType === 'ephemeral') return last ?? { kind: 'shown' };
  return (await findMessage(tx, spaceId, messageId)) ? { kind: 'posted', messageId } : { kind: 'late' };
}

async function post(
  tx: Tx,
  { createMessage, signer }: AnswerParts,
  spaceId: string,
  { botId, conversationId, threadId }: Trigger,
  { text, metadata, messageId }: { text: string; metadata: Metadata | undefined; messageId: string },
): Promise<void> {
  const metadataJson = metadata && (await signer.sign(tx, { spaceId, botId }, metadata));
  const created = await createMessage.in(tx, {
    spaceId,
    conversationId,
    author: { id: botId, type: 'bot' },
    ...{ text, metadataJson, messageId },
    parentMessageId: threadId ?? undefined,
    access: 'granted',
  });
  if ('refused' in created) throw conversationRefused(created.refused);
}

/** Returns the fields of the result that name what the answer created. */
export function resultFields(settled: SettledTrigger): { messageId?: string; shown?: EphemeralMessage } {
  if (settled.kind === 'posted') return { messageId: settled.messageId };
  return settled.kind === 'shown' && settled.message ? { shown: settled.message } : {};
}
