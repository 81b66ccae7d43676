import type { MessageView } from '@tieline/sdk/api';
import type { Outgoing, RoomState, Whisper } from '../log/room.js';

/** A row of the timeline. */
export type TimelineRow =
  | { kind: 'beginning'; key: string }
  | { kind: 'day'; key: string; at: string }
  | { kind: 'message'; key: string; message: MessageView; isGoingOn: boolean }
  | { kind: 'whisper'; key: string; whisper: Whisper }
  | { kind: 'outgoing'; key: string; outgoing: Outgoing };

/** Messages of one author within this time share a header. */
const SAME_BREATH_MS = 5 * 60_000;

/**
 * Returns the rows of a room in order: day separators, messages, ephemeral messages and pending
 * messages.
 */
export function timelineRows({ log, whispers, outgoing }: RoomState): TimelineRow[] {
  const rows: TimelineRow[] = [];
  if (!log.hasBefore && log.messages.length > 0) rows.push({ kind: 'beginning', key: 'beginning' });
  let before: MessageView | undefined;
  let lastDay = '';
  const waiting = whispers.toSorted((a, b) => a.after - b.after || a.at.localeCompare(b.at));
  const say = (until: number) => {
    while (waiting[0] && waiting[0].after < until) {
      const whisper = waiting.shift();
      if (whisper) rows.push({ kind: 'whisper', key: whisper.key, whisper });
      before = undefined;
    }
  };
  for (const message of log.messages) {
    say(message.msg_index);
    if (!before || dayOf(before.sent_at) !== dayOf(message.sent_at)) {
      const day = dayOf(message.sent_at);
      // If older messages exist, the day may have started there. Removing a separator later would
      // move the text being read.
      const isKnown = before !== undefined || !log.hasBefore;
      if (day !== lastDay && isKnown) rows.push({ kind: 'day', key: `day ${day}`, at: message.sent_at });
      lastDay = day;
    }
    rows.push({
      kind: 'message',
      key: message.id,
      message,
      isGoingOn: before !== undefined && goesOn(before, message),
    });
    before = message;
  }
  say(Number.POSITIVE_INFINITY);
  for (const one of outgoing) rows.push({ kind: 'outgoing', key: one.key, outgoing: one });
  return rows;
}

function goesOn(before: MessageView, message: MessageView): boolean {
  return (
    before.author_id === message.author_id &&
    before.display_name === message.display_name &&
    before.author_type === message.author_type &&
    before.deleted_at === undefined &&
    dayOf(before.sent_at) === dayOf(message.sent_at) &&
    Date.parse(message.sent_at) - Date.parse(before.sent_at) < SAME_BREATH_MS
  );
}

const dayOf = (instant: string): string => new Date(instant).toDateString();
