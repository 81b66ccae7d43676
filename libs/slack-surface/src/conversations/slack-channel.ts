import type { ConversationView } from '@tieline/conversations';
import { conversationId, slackId } from '../ids/slack-ids.js';
import { secondsOf } from '../ts/ts.js';

/** Returns a conversation as Slack's clients expect it. */
export function slackChannel(conversation: ConversationView): object {
  const { scope, name, topic, purpose, created_by: creator, created_at: createdAt } = conversation;
  return {
    id: conversationId(conversation),
    name,
    name_normalized: name,
    is_channel: scope === 'public',
    is_group: scope === 'private',
    is_im: scope === 'dm',
    is_mpim: false,
    is_private: scope !== 'public',
    is_archived: conversation.archived_at !== null,
    is_general: false,
    is_member: conversation.is_member,
    created: secondsOf(createdAt),
    creator: slackId('user', creator),
    // Who set them, and when, is not stored.
    topic: { value: topic, creator: '', last_set: 0 },
    purpose: { value: purpose, creator: '', last_set: 0 },
  };
}
