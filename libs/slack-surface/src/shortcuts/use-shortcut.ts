import { Injectable } from '@nestjs/common';
import { chatAccess, chatErrors, findMessage } from '@tieline/conversations';
import {
  clickRules,
  countInteraction,
  DirectInteractions,
  findShortcut,
  shortcutNotReadable,
  TriggerIds,
} from '@tieline/interactive';
import type { UsedShortcut } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import { invalidField } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { RateLimiter } from '@tieline/rate-limit';
import { ActedMessages } from '../block-actions/acted-message.js';
import type { MessageOfInteraction } from '../block-actions/acted-message.js';
import { AskApp } from '../interactions/ask-app.js';
import { sourceIn } from '../messages/message-source.js';
import { tsNow, tsOf } from '../ts/ts.js';

/** Sends shortcuts that people use to their apps (docs/slack-apps.md#shortcuts). */
@Injectable()
export class UseShortcut {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
    private readonly triggers: TriggerIds,
    private readonly messages: ActedMessages,
    private readonly app: AskApp,
    private readonly direct: DirectInteractions,
  ) {}

  /**
   * Sends `shortcut.used`, which does not wait for the bot. An app with Slack's format gets
   * `shortcut`, or `message_action` with the message, and has to acknowledge it.
   * @throws 400 a message for a global shortcut, or none for another one. 403 the person or the bot
   *   may not read the message. 404 unknown, or the bot is inactive. 410 the message is deleted.
   *   429. Also what {@link AskApp.ask} and {@link DirectInteractions.send} throw
   */
  async run(user: UserPrincipal, id: string, messageId: string | undefined): Promise<void> {
    const { spaceId, userId } = user;
    const shortcut = await findShortcut(this.db, spaceId, id);
    const { botId, callbackId } = shortcut;
    await countInteraction(this.limiter, clickRules(userId, id, botId));
    if (shortcut.eventFormat !== 'slack') return this.sendNative(user, shortcut, messageId);
    const about = { callback_id: callbackId, action_ts: tsNow() };
    const payload =
      shortcut.type === 'message'
        ? { type: 'message_action', ...about, ...(await this.messageFields(user, shortcut, messageId)) }
        : { type: 'shortcut', ...about, ...this.globalFields(user, shortcut, messageId) };
    await this.app.ask({ spaceId, botId, userId }, payload);
  }

  private async sendNative(user: UserPrincipal, shortcut: UsedShortcut, messageId?: string): Promise<void> {
    const { callbackId, type, botId } = shortcut;
    if (type === 'global') requireNoMessage(messageId);
    const acted = type === 'message' ? await this.requireMessage(user, shortcut, messageId) : undefined;
    await this.direct.send({
      ...{ spaceId: user.spaceId, botId, userId: user.userId },
      ...{ eventType: 'shortcut.used', actionId: callbackId },
      ...(acted && {
        place: { conversationId: acted.conversation.id, threadId: acted.conversation.rootMessageId },
      }),
      fields: {
        ...{ callback_id: callbackId, shortcut_type: type },
        ...(acted && { message_id: acted.message.id }),
      },
    });
  }

  private globalFields({ spaceId, userId }: UserPrincipal, { botId }: UsedShortcut, messageId?: string) {
    requireNoMessage(messageId);
    const nowhere = { conversationId: null, threadId: null, messageId: null };
    return { trigger_id: this.triggers.issue(spaceId, { botId, userId, ...nowhere, actionId: '' }) };
  }

  private async messageFields(user: UserPrincipal, shortcut: UsedShortcut, messageId?: string) {
    const acted = await this.requireMessage(user, shortcut, messageId);
    const fields = await this.messages.fields(user, acted, false);
    return { ...fields, message_ts: tsOf(acted.message.sentAt) };
  }

  /** The bot gets only messages that it could read itself. */
  private async requireMessage(
    user: UserPrincipal,
    { botId, channelIds }: UsedShortcut,
    messageId: string | undefined,
  ): Promise<MessageOfInteraction> {
    if (messageId === undefined)
      throw invalidField('message_id', 'message_id is required for a shortcut of type message');
    const { spaceId } = user;
    const message = await findMessage(this.db, spaceId, messageId);
    const access = message && (await chatAccess.reading(this.db, user, message.conversationId));
    if (!message || !access) throw chatErrors.messageNotFound();
    if (!access.mayRead) throw chatErrors.notReadable();
    if (message.deletedAt !== null) throw chatErrors.messageDeleted();
    const bot = { kind: 'bot', spaceId, botId, channelIds, scopes: 'all' } as const;
    if (!(await chatAccess.reading(this.db, bot, message.conversationId))?.mayRead)
      throw shortcutNotReadable();
    const source = sourceIn(message.sourceJson ?? undefined);
    return { message, source, conversation: access.conversation, botId };
  }
}

function requireNoMessage(messageId: string | undefined): void {
  if (messageId !== undefined)
    throw invalidField('message_id', 'message_id is only for shortcuts of type message');
}
