import { Injectable } from '@nestjs/common';
import type { MessageView } from '@tieline/conversations';
import { findConversation, findMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { invalidArgument } from '../dispatcher/slack-error.js';
import { sideOf } from '../dispatcher/slack-method.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { conversationId } from '../ids/slack-ids.js';
import { restCursor, slackCursor } from '../messages/cursors.js';
import { tsOf } from '../ts/ts.js';
import { limitOf, MessageLists } from '../messages/message-lists.js';

const SEARCH = ['search:read'];

interface ResultsPage {
  results: { message: MessageView; conversation: { name: string } }[];
  next_cursor: string;
}

/** A found message in Slack's form, with its channel. */
type Match = Record<string, unknown> & { channel: { id: string; name: string; is_private: boolean } };

interface FoundPage {
  matches: Match[];
  next: string;
}

/** `search.messages` and `assistant.search.context`. */
@Injectable()
export class SearchMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'search.messages',
      scopes: SEARCH,
      arguments: {
        ...{ query: 'text', count: 'number', cursor: 'text', page: 'number' },
        ...{ sort: 'dropped', sort_dir: 'dropped', highlight: 'dropped' },
      },
      run: (call) => this.messages(call),
    },
    {
      name: 'assistant.search.context',
      scopes: ['search:read.public', 'search:read.private', 'search:read.im', 'search:read.mpim'],
      arguments: {
        ...{
          query: 'text',
          limit: 'number',
          cursor: 'text',
          channel_types: 'dropped',
          content_types: 'unused',
        },
        ...{
          action_token: 'unused',
          include_bots: 'unused',
          sort: 'dropped',
          before: 'dropped',
          after: 'dropped',
        },
      },
      run: (call) => this.context(call),
    },
  ];

  constructor(
    private readonly db: Db,
    private readonly lists: MessageLists,
  ) {}

  private async messages(call: SlackCall): Promise<object> {
    const query = call.args.required('query', 'no_query');
    if ((call.args.number('page') ?? 1) > 1) throw invalidArgument('page must be 1: use cursor for more');
    const limit = Math.min(Math.max(call.args.number('count') ?? 20, 1), 100);
    const { matches, next } = await this.find(call, query, limit);
    return {
      query,
      messages: {
        matches,
        total: matches.length,
        paging: { count: limit, total: matches.length, page: 1, pages: 1 },
        pagination: {
          total_count: matches.length,
          page: 1,
          per_page: limit,
          page_count: 1,
          first: 1,
          last: matches.length,
        },
      },
      response_metadata: { next_cursor: next },
    };
  }

  private async context(call: SlackCall): Promise<object> {
    const query = call.args.required('query', 'invalid_query');
    const { matches, next } = await this.find(call, query, Math.min(limitOf(call), 20));
    return {
      results: {
        messages: matches.map((match) => ({
          author_user_id: match['user'],
          channel_id: match.channel.id,
          channel_name: match.channel.name,
          message_ts: match['ts'],
          content: match['text'],
          is_author_bot: match['bot_id'] !== undefined,
          permalink: match['permalink'],
        })),
      },
      response_metadata: { next_cursor: next },
    };
  }

  /** Finds messages that the caller can read, newest first. */
  private async find(call: SlackCall, query: string, limit: number): Promise<FoundPage> {
    const path = `/api/v1/${sideOf(call.caller)}/search/messages`;
    const { results, next_cursor: next } = await call.rest<ResultsPage>('GET', path, {
      query: { q: query, limit: String(limit), cursor: restCursor(call.args.text('cursor')) },
    });
    const matches = await Promise.all(
      results.map(({ message, conversation: { name } }) => this.match(call, message, name)),
    );
    return { matches: matches.flat(), next: slackCursor(next) };
  }

  private async match(call: SlackCall, message: MessageView, name: string): Promise<Match[]> {
    const { spaceId } = call.caller;
    const place = await findConversation(this.db, spaceId, message.conversation_id);
    const channel = place && (await findConversation(this.db, spaceId, place.channelId));
    if (!channel) return [];
    const root =
      place.rootMessageId === null ? undefined : await findMessage(this.db, spaceId, place.rootMessageId);
    const [shown] = await this.lists.shown(call, channel, [message], root && tsOf(root.sentAt));
    return [
      { ...shown, channel: { id: conversationId(channel), name, is_private: channel.scope !== 'public' } },
    ];
  }
}
