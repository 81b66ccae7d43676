import type { ConversationView } from '@tieline/conversations';
import { conversationId, slackId } from '../ids/slack-ids.js';
import { secondsOf } from '../ts/ts.js';

/**
 * Returns a conversation as Slack's clients expect it.
 * @param selfId the caller: a direct chat names the other one
 */
export function slackChannel(conversation: ConversationView, selfId?: string): object {
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
    is_shared: false,
    is_org_shared: false,
    is_ext_shared: false,
    is_member: conversation.is_member,
    context_team_id: slackId('space', conversation.space_id),
    created: secondsOf(createdAt),
    creator: slackId('user', creator),
    // Who set them, and when, is not stored.
    topic: { value: topic, creator: '', last_set: 0 },
    purpose: { value: purpose, creator: '', last_set: 0 },
    ...(scope === 'dm' && { user: slackId('user', otherIn(conversation, selfId)) }),
  };
}

/** Returns the type of a conversation in Slack's words. */
export function channelType({ scope }: Pick<ConversationView, 'scope'>): string {
  if (scope === 'dm') return 'im';
  return scope === 'public' ? 'public_channel' : 'private_channel';
}

/** Returns the other member of a direct chat, or the only one. */
function otherIn({ member_ids: ids = [], created_by: creator }: ConversationView, selfId?: string): string {
  return ids.find((id) => id !== selfId) ?? ids[0] ?? creator;
}
