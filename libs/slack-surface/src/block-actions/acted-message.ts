import { Injectable } from '@nestjs/common';
import { chatErrors, findConversation, findMessage, messageView } from '@tieline/conversations';
import type { Conversation, Message } from '@tieline/conversations';
import {
  actionGone,
  notForYou,
  requireLivePlace,
  requirePlace,
  ResponseTokens,
  TriggerIds,
} from '@tieline/interactive';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { findElement } from '../blocks/find-element.js';
import type { BlockElement } from '../blocks/find-element.js';
import type { Json } from '../blocks/rules.js';
import { responseUrl } from '../commands/command-fields.js';
import { conversationId, slackId, uuidOf } from '../ids/slack-ids.js';
import { sourceIn } from '../messages/message-source.js';
import type { MessageSource } from '../messages/message-source.js';
import { slackMessage } from '../messages/slack-message.js';
import { tsOf } from '../ts/ts.js';

/** A message that a person acts on, its place, and its bot. */
export interface MessageOfInteraction {
  readonly message: Message;
  readonly source?: MessageSource | undefined;
  readonly conversation: Conversation;
  readonly botId: string;
}

/** A message of a Slack app that a person acts on. */
export interface ActedMessage extends MessageOfInteraction {
  readonly source: MessageSource;
}

/** Finds messages of Slack apps that people act on, and describes them to the app. */
@Injectable()
export class ActedMessages {
  constructor(
    private readonly db: Db,
    private readonly triggers: TriggerIds,
    private readonly responses: ResponseTokens,
    private readonly settings: PlatformSettings,
  ) {}

  /**
   * Returns a message with blocks, also an ephemeral one that was shown to the person.
   * @throws 404 unknown. 403 not readable, or not a member; archived. 410 deleted, or it has no
   *   blocks
   */
  async require(user: UserPrincipal, messageId: string): Promise<ActedMessage> {
    const place = await requirePlace(this.db, user, messageId);
    requireLivePlace(place);
    const { message, conversation } = place;
    const source = sourceIn(message.sourceJson ?? undefined);
    if (message.authorType !== 'bot' || !source?.blocks) throw actionGone();
    return { message, source, conversation, botId: message.authorId };
  }

  /**
   * Returns the fields of an interaction that say where it happened and how to answer.
   * @param isOriginal whether the app may replace and delete the message at the `response_url`
   */
  async fields(
    user: UserPrincipal,
    { message, source, conversation, botId }: MessageOfInteraction,
    isOriginal = true,
  ): Promise<Json> {
    const { spaceId, userId } = user;
    const { publicUrl } = this.settings;
    const { rootMessageId: threadId, channelId } = conversation;
    const channel = threadId === null ? conversation : await findConversation(this.db, spaceId, channelId);
    if (!channel) throw chatErrors.messageNotFound();
    const root = threadId === null ? undefined : await findMessage(this.db, spaceId, threadId);
    const threadTs = root && tsOf(root.sentAt);
    const place = { botId, userId, conversationId: conversation.id, threadId, messageId: message.id };
    const { response_token: token } = this.responses.issue(spaceId, {
      ...place,
      messageId: isOriginal ? message.id : null,
      kind: 'click',
      id: uuidv7(),
    });
    const isEphemeral = message.msgIndex === 0;
    const id = conversationId(channel);
    const shown = { spaceId, channel: id, threadTs, source, withMetadata: true };
    return {
      trigger_id: this.triggers.issue(spaceId, { ...place, actionId: '' }),
      response_url: responseUrl(publicUrl, slackId('space', spaceId), token),
      container: {
        type: 'message',
        message_ts: tsOf(message.sentAt),
        channel_id: id,
        is_ephemeral: isEphemeral,
        ...(threadTs !== undefined && { thread_ts: threadTs }),
      },
      channel: { id, name: channel.scope === 'dm' ? 'directmessage' : channel.name },
      ...(!isEphemeral && { message: slackMessage(messageView(message), shown) }),
    };
  }
}

/**
 * Returns the element with these ids in the current blocks. @throws 410 it is not there any more.
 * 403 it is for others
 */
export function requireElement(
  { source }: ActedMessage,
  { userId }: UserPrincipal,
  { block_id: blockId, action_id: actionId }: { block_id: string; action_id: string },
): BlockElement {
  const found = findElement(source.blocks ?? [], blockId, actionId);
  if (!found) throw actionGone();
  const viewers = found.element['visible_to_user_ids'];
  if (Array.isArray(viewers) && !viewers.some((id) => uuidOf(String(id), 'user') === userId))
    throw notForYou();
  return found;
}
