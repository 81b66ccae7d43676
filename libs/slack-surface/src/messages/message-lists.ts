import { Injectable } from '@nestjs/common';
import { findLastIndexUntil, findSources, threadFieldsOf } from '@tieline/conversations';
import type { Place, MessageView } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';
import type { SlackCall } from '../dispatcher/slack-method.js';
import { conversationId } from '../ids/slack-ids.js';
import { momentOf, tsOf } from '../ts/ts.js';
import { cursorOf, positionIn } from './cursors.js';
import { sourceIn } from './message-source.js';
import { slackMessage } from './slack-message.js';

/** The most messages of a page here and in Slack. */
const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 100;

/** Arguments of lists of messages. */
export const LIST_ARGUMENTS = {
  channel: 'text',
  oldest: 'text',
  latest: 'text',
  inclusive: 'boolean',
  limit: 'number',
  cursor: 'text',
  include_all_metadata: 'boolean',
} as const;

interface HistoryPage {
  messages: MessageView[];
  has_more_before: boolean;
  has_more_after: boolean;
}

/** The indexes of messages that a list is limited to, both exclusive. */
interface Bounds {
  readonly after: number;
  readonly before: number;
}

/** A root message and its conversation. */
interface ThreadRoot {
  readonly id: string;
  /** The conversation of its replies, if it has any. */
  readonly threadId: string | undefined;
}

/** Lists messages of channels and threads as Slack does. */
@Injectable()
export class MessageLists {
  constructor(private readonly db: Db) {}

  /** Returns the latest messages of a channel, newest first. */
  async history(call: SlackCall, conversation: Place): Promise<object> {
    const bounds = await this.bounds(call, conversation.spaceId, conversation.id);
    const position = positionIn(call.args.text('cursor'));
    const page = await call.rest<HistoryPage>('GET', `/api/v1/channels/${conversation.id}/messages`, {
      query: {
        limit: String(limitOf(call)),
        before_msg_index: String(Math.min(position ?? bounds.before, bounds.before)),
      },
    });
    const within = await this.withThreads(
      conversation,
      page.messages.filter(({ msg_index: index }) => index > bounds.after),
    );
    const first = within[0];
    const hasMore =
      page.has_more_before &&
      first !== undefined &&
      first.msg_index > bounds.after + 1 &&
      within.length === page.messages.length;
    const shown = within.filter(
      (message) => message.deleted_at === undefined || (message.reply_count ?? 0) > 0,
    );
    return {
      messages: (await this.shown(call, conversation, shown)).reverse(),
      has_more: hasMore,
      ...(hasMore && { response_metadata: { next_cursor: cursorOf(first.msg_index) } }),
    };
  }

  /** Returns a root message and its replies, oldest first. */
  async replies(call: SlackCall, conversation: Place, root: ThreadRoot): Promise<object> {
    const side = call.caller.kind === 'bot' ? 'bot' : 'client';
    const { message } = await call.rest<{ message: MessageView }>(
      'GET',
      `/api/v1/${side}/messages/${root.id}`,
    );
    const rootTs = tsOf(message.sent_at);
    const position = positionIn(call.args.text('cursor'));
    const [parent] = await this.shown(
      call,
      conversation,
      await this.withThreads(conversation, [message]),
      rootTs,
    );
    const head = position === undefined ? [parent] : [];
    if (root.threadId === undefined) return { messages: head, has_more: false };
    const bounds = await this.bounds(call, conversation.spaceId, root.threadId);
    const page = await call.rest<HistoryPage>('GET', `/api/v1/channels/${root.threadId}/messages`, {
      query: {
        limit: String(Math.max(1, limitOf(call) - head.length)),
        after_msg_index: String(Math.max(position ?? 0, bounds.after)),
      },
    });
    const within = page.messages.filter(({ msg_index: index }) => index < bounds.before);
    const last = within.at(-1);
    const hasMore = page.has_more_after && last !== undefined && within.length === page.messages.length;
    const replies = within.filter((reply) => reply.deleted_at === undefined);
    return {
      messages: [...head, ...(await this.shown(call, conversation, replies, rootTs))],
      has_more: hasMore,
      ...(hasMore && { response_metadata: { next_cursor: cursorOf(last.msg_index) } }),
    };
  }

  /** Returns messages in Slack's form. @param rootTs of the thread that they are in */
  async shown(
    { args }: Pick<SlackCall, 'args'>,
    conversation: Place,
    messages: readonly MessageView[],
    rootTs?: string,
  ): Promise<Record<string, unknown>[]> {
    const sources = await findSources(
      this.db,
      conversation.spaceId,
      messages.map(({ id }) => id),
    );
    return messages.map((message) =>
      slackMessage(message, {
        spaceId: conversation.spaceId,
        channel: conversationId(conversation),
        threadTs: rootTs ?? ((message.reply_count ?? 0) > 0 ? tsOf(message.sent_at) : undefined),
        source: sourceIn(sources.get(message.id)),
        withMetadata: args.flag('include_all_metadata'),
      }),
    );
  }

  /** Adds the number of replies, which the REST API shows to people only. */
  private async withThreads({ spaceId }: Place, messages: MessageView[]): Promise<MessageView[]> {
    const roots = messages.map(({ id }) => ({ id, threadId: null }));
    const threads = await threadFieldsOf(this.db, spaceId, roots);
    return messages.map((message) => ({ ...message, ...threads.get(message.id) }));
  }

  private async bounds({ args }: SlackCall, spaceId: string, conversationId: string): Promise<Bounds> {
    const place = { spaceId, conversationId };
    const isInclusive = args.flag('inclusive');
    const until = async (
      name: string,
      error: string,
    ): Promise<{ at: number; before: number } | undefined> => {
      const text = args.text(name);
      if (text === undefined) return undefined;
      const moment = momentOf(text);
      if (moment === undefined) throw new SlackError(error);
      const [at, before] = await Promise.all([
        findLastIndexUntil(this.db, place, moment),
        findLastIndexUntil(this.db, place, justBefore(moment)),
      ]);
      return { at, before };
    };
    const oldest = await until('oldest', 'invalid_ts_oldest');
    const latest = await until('latest', 'invalid_ts_latest');
    return {
      after: oldest === undefined ? 0 : isInclusive ? oldest.before : oldest.at,
      before: latest === undefined ? Number.MAX_SAFE_INTEGER : (isInclusive ? latest.at : latest.before) + 1,
    };
  }
}

/** Returns the moment one microsecond earlier. */
function justBefore(moment: string): string {
  const micros = BigInt(Date.parse(moment.slice(0, 19) + 'Z')) * 1000n + BigInt(moment.slice(20, 26)) - 1n;
  const whole = micros < 0n ? 0n : micros;
  return `${new Date(Number(whole / 1_000_000n) * 1000).toISOString().slice(0, 19)}.${String(whole % 1_000_000n).padStart(6, '0')}Z`;
}

/** The limit of a page. Slack accepts up to 999. */
export function limitOf({ args }: Pick<SlackCall, 'args'>): number {
  const limit = args.number('limit') ?? DEFAULT_LIMIT;
  if (limit < 1) throw invalidArgument('limit must be at least 1');
  return Math.min(limit, MAX_LIMIT);
}
