import { Injectable } from '@nestjs/common';
import { appendDirectEvent } from '@tieline/bots';
import { openDirectConversation } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { holdClickedBot } from '../config/interactive-config.queries.js';
import { botUnresponsive } from '../interactive.errors.js';
import { ResponseTokens } from '../responses/response-tokens.js';
import { TriggerIds } from '../triggers/trigger-ids.js';
import type { ViewOwner } from '../views/views.js';

/** Longer names would make trigger ids that are longer than POST /bot/modals accepts. */
const MAX_ACTION_ID = 50;

/** What a person did outside of the messages of a bot. */
export interface DirectInteraction extends ViewOwner {
  eventType: 'shortcut.used' | 'home.action';
  /** Names what was used. Its first 50 characters are the `action_id` of modals that it opens. */
  actionId: string;
  /** Default: the direct chat of the two, which is opened if there is none. */
  place?: { conversationId: string; threadId: string | null };
  /** What the payload has besides the common fields. */
  fields: object;
}

/** Sends interactions that belong to no message of a bot (docs/shortcuts.md#events). */
@Injectable()
export class DirectInteractions {
  constructor(
    private readonly db: Db,
    private readonly triggers: TriggerIds,
    private readonly responses: ResponseTokens,
  ) {}

  /**
   * Queues or pushes the event by the mode of the bot, and does not wait for it.
   * @throws 404 the bot is deleted. 503 it is inactive, or its mode is `none`
   */
  async send(interaction: DirectInteraction): Promise<void> {
    const { spaceId, userId } = interaction;
    await runInTx(this.db, (tx) => this.sendIn(tx, interaction), { spaceId, place: userId });
  }

  private async sendIn(tx: Tx, interaction: DirectInteraction): Promise<void> {
    const { spaceId, botId, userId, eventType } = interaction;
    const bot = await holdClickedBot(tx, spaceId, botId);
    if (!bot) throw notFound('bot_not_found', 'bot not found');
    if (!bot.isActive || bot.mode === 'none') throw botUnresponsive(bot.displayName);
    const { conversationId, threadId } = interaction.place ?? (await openChat(tx, interaction));
    const occurredAt = new Date().toISOString().replace('Z', '000000Z');
    const subject = { botId, userId, conversationId, threadId, messageId: null };
    const actionId = [...interaction.actionId].slice(0, MAX_ACTION_ID).join('');
    const payload = {
      event_type: eventType,
      space_id: spaceId,
      actor_user_id: userId,
      conversation_id: conversationId,
      ...(threadId !== null && { thread_id: threadId }),
      ...interaction.fields,
      trigger_id: this.triggers.issue(spaceId, { ...subject, actionId }),
      occurred_at: occurredAt,
      ...this.responses.issue(spaceId, { ...subject, kind: 'click', id: uuidv7() }),
    };
    const envelope = { conversationId, threadId: threadId ?? '', actorUserId: userId, occurredAt };
    await appendDirectEvent(tx, { spaceId, botId, eventId: uuidv7(), eventType, payload, envelope });
  }
}

async function openChat(
  tx: Tx,
  { spaceId, botId, userId }: ViewOwner,
): Promise<{ conversationId: string; threadId: null }> {
  const pair = { a: { id: userId, type: 'user' }, b: { id: botId, type: 'bot' } } as const;
  return { conversationId: await openDirectConversation(tx, { spaceId, ...pair }), threadId: null };
}
