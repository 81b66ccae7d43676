import { slackId } from '../ids/slack-ids.js';

/** Who wrote a message. */
export type AuthorKind = 'user' | 'bot' | 'webhook' | 'system';

/** An author and, for bots, the app. */
export interface Author {
  id: string;
  type: AuthorKind;
  /** Id of the app of a bot. */
  appId?: string | undefined;
  displayName?: string | undefined;
}

/**
 * Returns the fields that name an author. Messages of bots have both `user` and `bot_id`, by which
 * apps recognize their own messages. Webhooks and the system are no users.
 */
export function authorFields({ id, type, appId, displayName }: Author): Record<string, unknown> {
  switch (type) {
    case 'user':
      return { user: slackId('user', id) };
    case 'bot':
      return {
        user: slackId('user', id),
        bot_id: slackId('bot', id),
        app_id: slackId('app', appId ?? id),
        ...(displayName !== undefined && { username: displayName }),
      };
    default:
      return {
        subtype: 'bot_message',
        bot_id: slackId('bot', id),
        ...(displayName !== undefined && { username: displayName }),
      };
  }
}

/** Returns the user id of an author: that of a person or a bot. */
export const authorUser = (id: string): string => slackId('user', id);
