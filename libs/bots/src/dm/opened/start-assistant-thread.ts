import type { CreateMessage, DmOpening } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { EventFormat } from '../../accounts/bot.js';
import { FIND_UNUSED_THREAD, RECORD_THREAD } from './dm-openings.statements.js';

/** Text of the root message. People see it as a message of the bot. */
const TEXT = 'New conversation';
/** Apps in Slack's format recognize the root message by its subtype. */
const SLACK_SOURCE = JSON.stringify({ text: TEXT, subtype: 'assistant_app_thread' });

/**
 * Posts the root message of a new thread in a bot's direct chat, as the bot. The caller holds the
 * row of `dm_openings`.
 * @returns its id; undefined if the thread that was started before is the newest message and has no
 * replies of people, or if the bot may not post
 */
export async function startAssistantThread(
  tx: Tx,
  createMessage: CreateMessage,
  { id: botId, eventFormat }: { id: string; eventFormat: EventFormat },
  { spaceId, conversationId, userId }: DmOpening,
): Promise<string | undefined> {
  const [unused] = await tx.query(FIND_UNUSED_THREAD, [spaceId, botId, userId]);
  if (unused) return undefined;
  const posted = await createMessage.in(tx, {
    ...{ spaceId, conversationId, text: TEXT },
    author: { id: botId, type: 'bot' },
    ...(eventFormat === 'slack' && { sourceJson: SLACK_SOURCE }),
  });
  if ('refused' in posted) return undefined;
  await tx.query(RECORD_THREAD, { spaceId, botId, userId, threadId: posted.messageId });
  return posted.messageId;
}
