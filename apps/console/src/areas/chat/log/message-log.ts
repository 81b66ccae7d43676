import type { MessageView, StreamedReaction } from '@tieline/sdk/api';

/** Consecutive messages of one conversation or thread, oldest first. */
export interface MessageLog {
  messages: readonly MessageView[];
  /** Whether there are more messages before or after. */
  hasBefore: boolean;
  hasAfter: boolean;
}

/** A page returned by the history endpoint. */
export interface HistoryPage {
  messages: readonly MessageView[];
  has_more_before: boolean;
  has_more_after: boolean;
}

/** A reply in the thread of a message in this log. */
interface Reply {
  event: 'reply';
  rootId: string;
  /** Position of the reply in its thread, starting at 1, and thus the number of replies. */
  index: number;
  at: string;
}

/** What a person thinks of a message; `none` withdraws it. */
export type FeedbackChoice = NonNullable<MessageView['feedback']>['mine'];

/** A bot set or removed the title of the thread of a message in this log. */
interface Titled {
  event: 'titled';
  rootId: string;
  title: string | null;
}

/** The judgment of the person in front of the page. */
interface Judged {
  event: 'feedback';
  messageId: string;
  choice: FeedbackChoice;
}

/** Events that change a log. */
export type LogEvent =
  | { event: 'message.new' | 'message.edited' | 'message.deleted'; message: MessageView }
  | Reply
  | Titled
  | Judged
  | Pick<StreamedReaction, 'event' | 'message_id' | 'emoji' | 'user_id'>;

/**
 * Maximum number of messages in one log. Messages far from the reading position are dropped and
 * loaded again when needed.
 */
export const MOST_KEPT = 1000;

export const emptyLog: MessageLog = { messages: [], hasBefore: false, hasAfter: false };

/** Adds a page at one end. `only` replaces the log with the page. */
export function mergePage(log: MessageLog, page: HistoryPage, side: 'only' | 'before' | 'after'): MessageLog {
  if (side === 'only')
    return {
      messages: inOrder(page.messages),
      hasBefore: page.has_more_before,
      hasAfter: page.has_more_after,
    };
  const messages = union(log.messages, page.messages);
  const isTooMany = messages.length > MOST_KEPT;
  if (side === 'before')
    return {
      messages: messages.slice(0, MOST_KEPT),
      hasBefore: page.has_more_before,
      hasAfter: log.hasAfter || isTooMany,
    };
  return {
    messages: messages.slice(-MOST_KEPT),
    hasBefore: log.hasBefore || isTooMany,
    hasAfter: page.has_more_after,
  };
}

/**
 * Applies changes missed while the stream was closed. Of messages beyond the log, adds only those
 * that directly continue it.
 */
export function mergeChanged(log: MessageLog, changed: readonly MessageView[]): MessageLog {
  const first = log.messages[0]?.msg_index ?? -1;
  const known = new Set(log.messages.map(({ id }) => id));
  const wanted = changed.filter(
    ({ id, msg_index: index }) => known.has(id) || (!log.hasAfter && (index > first || !log.hasBefore)),
  );
  return { ...log, messages: union(log.messages, wanted) };
}

/** Returns the log after an event. Returns the same object if nothing changes. */
export function applyEvent(log: MessageLog, event: LogEvent): MessageLog {
  if (event.event === 'reply') return withReply(log, event);
  if (event.event === 'titled')
    return changed(log, event.rootId, ({ thread_title: _, ...root }) => ({
      ...root,
      ...(event.title !== null && { thread_title: event.title }),
    }));
  if (event.event === 'feedback')
    return changed(log, event.messageId, (message) => withFeedback(message, event.choice));
  if (!('message' in event)) return react(log, event);
  const { message } = event;
  const at = log.messages.findIndex(({ id }) => id === message.id);
  if (at >= 0) {
    const old = log.messages[at];
    if (old === undefined || isOlder(message, old)) return log;
    // A repeated `message.new` for a known message is older than its later changes.
    if (event.event === 'message.new') return log;
    return { ...log, messages: log.messages.with(at, withKept(message, old)) };
  }
  if (event.event !== 'message.new' || log.hasAfter) return log;
  return { ...log, messages: union(log.messages, [message]) };
}

/** Returns the latest time known to the log. Changes after it must be requested. */
export function knownUntil({ messages }: MessageLog): string | undefined {
  return messages
    .flatMap(({ sent_at, edited_at, deleted_at }) => [sent_at, edited_at, deleted_at])
    .filter((instant) => instant !== undefined)
    .sort()
    .at(-1);
}

/**
 * Ignores replies already counted: streams may report a reply twice, and history may be ahead of
 * them.
 */
function withReply(log: MessageLog, { rootId, index, at }: Reply): MessageLog {
  const place = log.messages.findIndex(({ id }) => id === rootId);
  const root = log.messages[place];
  if (!root || (root.reply_count ?? 0) >= index) return log;
  return { ...log, messages: log.messages.with(place, { ...root, reply_count: index, last_reply_at: at }) };
}

function react(log: MessageLog, { event, message_id, emoji, user_id }: Extract<LogEvent, { emoji: string }>) {
  const at = log.messages.findIndex(({ id }) => id === message_id);
  const message = log.messages[at];
  if (!message) return log;
  const others = (message.reactions.find((reaction) => reaction.emoji === emoji)?.user_ids ?? []).filter(
    (id) => id !== user_id,
  );
  const users = event === 'reaction.added' ? [...others, user_id] : others;
  const isNew = !message.reactions.some((reaction) => reaction.emoji === emoji);
  const reactions = isNew
    ? [...message.reactions, { emoji, user_ids: users }]
    : message.reactions.map((reaction) =>
        reaction.emoji === emoji ? { ...reaction, user_ids: users } : reaction,
      );
  return {
    ...log,
    messages: log.messages.with(at, {
      ...message,
      reactions: reactions.filter(({ user_ids: left }) => left.length > 0),
    }),
  };
}

/** Changes one message, if it is in the log. */
function changed(log: MessageLog, id: string, change: (message: MessageView) => MessageView): MessageLog {
  const at = log.messages.findIndex((message) => message.id === id);
  const message = log.messages[at];
  return message ? { ...log, messages: log.messages.with(at, change(message)) } : log;
}

function withFeedback(message: MessageView, mine: FeedbackChoice): MessageView {
  const before = message.feedback ?? { positive: 0, negative: 0, mine: 'none' };
  const count = (choice: 'positive' | 'negative') =>
    before[choice] - Number(before.mine === choice) + Number(mine === choice);
  return { ...message, feedback: { positive: count('positive'), negative: count('negative'), mine } };
}

/** Keeps fields that stream events omit. */
const withKept = (
  message: MessageView,
  { permalink, reply_count, last_reply_at, thread_title, feedback }: MessageView,
): MessageView => ({
  ...(permalink !== undefined && { permalink }),
  ...(reply_count !== undefined && { reply_count }),
  ...(last_reply_at !== undefined && { last_reply_at }),
  ...(thread_title !== undefined && { thread_title }),
  ...(feedback !== undefined && { feedback }),
  ...message,
});

const changedAt = ({ sent_at, edited_at, deleted_at }: MessageView): string =>
  deleted_at ?? edited_at ?? sent_at;

const isOlder = (message: MessageView, than: MessageView): boolean =>
  than.deleted_at !== undefined ? message.deleted_at === undefined : changedAt(message) < changedAt(than);

const inOrder = (messages: readonly MessageView[]): MessageView[] =>
  messages.toSorted((a, b) => a.msg_index - b.msg_index);

function union(some: readonly MessageView[], more: readonly MessageView[]): MessageView[] {
  const byId = new Map(some.map((message) => [message.id, message]));
  for (const message of more) {
    const old = byId.get(message.id);
    if (!old || !isOlder(message, old)) byId.set(message.id, message);
  }
  return inOrder([...byId.values()]);
}
