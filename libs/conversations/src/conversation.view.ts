import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { viewOf } from '@tieline/platform/resource';
import { CONVERSATION } from './conversation.js';
import type { Conversation } from './conversation.queries.js';

/** A conversation as people's clients receive it. */
export class ConversationView extends viewOf(CONVERSATION) {}

export class ConversationAnswer extends OkAnswer {
  @Field({ type: ConversationView })
  conversation: ConversationView;
}

export class ConversationsPage extends PageAnswer {
  @Field({ type: ConversationView, isArray: true })
  conversations: ConversationView[];
}

/** The reader's membership in a conversation. */
export interface Membership {
  isMember: boolean;
  muted: boolean;
}

/** Returns a conversation as its reader sees it. */
export function conversationView(
  conversation: Conversation,
  { isMember, muted }: Membership,
): ConversationView {
  const { scope, dmKey } = conversation;
  return ConversationView.of({
    ...conversation,
    isDirect: scope === 'dm',
    isPublic: scope === 'public',
    memberIds: dmKey === null ? null : [...new Set(dmKey.split(':'))],
    isMember,
    muted,
  });
}
