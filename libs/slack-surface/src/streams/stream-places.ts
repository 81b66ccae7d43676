import { Injectable } from '@nestjs/common';
import { findMessage, findThread } from '@tieline/conversations';
import type { Place, MessageView } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { hasScope } from '@tieline/platform/http';
import { SlackError } from '../dispatcher/slack-error.js';
import type { SlackCall } from '../dispatcher/slack-method.js';
import { slackId, uuidOf } from '../ids/slack-ids.js';

/** The latest messages among which the one that a stream answers is looked for. */
const MAX_SEARCHED = 50;

/** Finds the person that a stream is for, and the message that it answers. */
@Injectable()
export class StreamPlaces {
  constructor(private readonly db: Db) {}

  /**
   * Returns the person that a stream is for; undefined in a direct chat, where there is one.
   * @throws SlackError `missing_recipient_user_id` and others
   */
  recipient({ args, caller }: SlackCall, { scope }: Place): string | undefined {
    const user = args.text('recipient_user_id');
    const team = args.text('recipient_team_id');
    if (scope !== 'dm' && user === undefined) throw new SlackError('missing_recipient_user_id');
    if (scope !== 'dm' && team === undefined) throw new SlackError('missing_recipient_team_id');
    if (team !== undefined && team !== slackId('space', caller.spaceId))
      throw new SlackError('team_not_found');
    if (user === undefined) return undefined;
    const id = uuidOf(user, 'user');
    if (id === undefined) throw new SlackError('user_not_found');
    return id;
  }

  /**
   * Returns the message that a stream answers: the root of its thread if a person wrote it, else
   * the latest message of the recipient there. Undefined if there is none, or if the token cannot
   * create runs or read messages.
   */
  async trigger(
    call: SlackCall,
    conversation: Place,
    { rootId, recipient }: { rootId: string | undefined; recipient: string | undefined },
  ): Promise<string | undefined> {
    const { scopes, spaceId } = call.caller;
    if (!hasScope(scopes, 'runs')) return undefined;
    const root = rootId === undefined ? undefined : await findMessage(this.db, spaceId, rootId);
    if (root?.authorType === 'user' && root.deletedAt === null) return root.id;
    if (!hasScope(scopes, 'messages:read')) return undefined;
    const channelId = conversation.id;
    const place = root === undefined ? channelId : await findThread(this.db, { spaceId, channelId }, root.id);
    if (place === undefined) return undefined;
    const { messages } = await call.rest<{ messages: MessageView[] }>(
      'GET',
      `/api/v1/channels/${place}/messages`,
      { query: { limit: String(MAX_SEARCHED) } },
    );
    const isTrigger = ({ author_id: author, author_type: type, deleted_at: deleted }: MessageView): boolean =>
      type === 'user' && deleted === undefined && (recipient === undefined || recipient === author);
    return messages.findLast(isTrigger)?.id;
  }
}
