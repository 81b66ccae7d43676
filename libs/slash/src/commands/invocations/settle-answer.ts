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

/** What posts an answer. */
export interface AnswerParts {
  createMessage: CreateMessage;
  signer: ComponentSigner;
  /** Tells whoever waits for the outcome, last in the transaction. */
  tell?(tx: Tx, settled: Settled): Promise<void>;
}

/** The trigger that is answered, and who gave the command. */
export interface AnsweredTrigger {
  spaceId: string;
  triggerId: string;
  userId: string;
}

export type SyncText = Extract<CommandAnswer, { kind: 'text' }>;

/**
 * The outcome of a synchronous text: `late` when the bot had already used the trigger, `gone` when
 * it was switched off meanwhile.
 */
export type Settled =
  | { kind: 'shown'; message?: EphemeralMessage }
  | { kind: 'posted'; messageId: string }
  | { kind: 'late' }
  | { kind: 'gone' };

/**
 * Takes a bot's synchronous answer: it uses the trigger up, and `in_channel` is posted as the bot
 * where the command was given, whether or not the bot is a member there. That the trigger's time is
 * over does not matter: the callback has its own limit.
 * @throws 400 interactive blocks whose clicks the bot could not be told of; 403 when the
 * conversation was archived meanwhile; the trigger is not used up then
 */
export async function settleAnswer(
  db: Db,
  parts: AnswerParts,
  { spaceId, triggerId, userId }: AnsweredTrigger,
  answer: SyncText,
): Promise<Settled> {
  const messageId = uuidv7();
  let last: Settled | undefined;
  return runRepeatable(
    db,
    async (tx, isRepeat): Promise<Settled> => {
      const trigger = await lockTrigger(tx, spaceId, triggerId);
      if (!trigger?.botIsActive) return { kind: 'gone' };
      if (trigger.isUsed)
        return isRepeat ? writtenBefore(tx, spaceId, messageId, { answer, last }) : { kind: 'late' };
      await markUsed(tx, spaceId, triggerId);
      last = await carryOut(tx, parts, { spaceId, triggerId, messageId, userId }, trigger, answer);
      await parts.tell?.(tx, last);
      return last;
    },
    { spaceId, place: triggerId },
  );
}

async function carryOut(
  tx: Tx,
  parts: AnswerParts,
  ids: AnsweredTrigger & { messageId: string },
  trigger: Trigger,
  answer: SyncText,
): Promise<Settled> {
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
 * The trigger was used while the answer to our COMMIT was lost: by this very answer, or by the bot.
 * What is shown to one person alone may be shown either way.
 */
async function writtenBefore(
  tx: Tx,
  spaceId: string,
  messageId: string,
  { answer, last }: { answer: SyncText; last: Settled | undefined },
): Promise<Settled> {
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

/** What an answer made, as results name it. */
export function madeBy(settled: Settled): { messageId?: string; shown?: EphemeralMessage } {
  if (settled.kind === 'posted') return { messageId: settled.messageId };
  return settled.kind === 'shown' && settled.message ? { shown: settled.message } : {};
}
