import { microBatch, rfc3339, statement } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import type { DmMessage } from './dm-message.view.js';

/** Whose inbox. */
export type InboxOwner = Pick<BotPrincipal, 'spaceId' | 'botId'>;

/** One place of an inbox. */
export interface InboxEntry {
  position: number;
  /** Absent when it is not to be delivered any more: deleted meanwhile, or too old. */
  message?: DmMessage;
}

/** How much of an inbox is kept, and for how long. */
export interface InboxLimits {
  /** Messages that wait for a bot without a stream: the newest ones. */
  limit: number;
  ttlHours: number;
}

/** Entries that are read for one stream at a time: all that a process holds of an inbox. */
export const PAGE = 10;

// Two at a time, each for so many streams: what the largest texts together take stays in the tens of megabytes.
const BATCH = { maxBatch: 200, maxInFlight: 2 };

const START = statement(
  'bots.dm_inbox_start',
  `SELECT (wanted.n - 1)::int AS n, greatest(p.position, edge.position, 0) AS position
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted(space_id, bot_id, n)
     LEFT JOIN dm_inbox_positions p ON p.space_id = wanted.space_id AND p.bot_id = wanted.bot_id
     LEFT JOIN LATERAL (
       SELECT d.position FROM dm_inbox d
        WHERE d.space_id = wanted.space_id AND d.bot_id = wanted.bot_id AND d.position > coalesce(p.position, 0)
        ORDER BY d.position DESC OFFSET $3::int LIMIT 1
     ) edge ON true`,
);

// Each message is looked up by its key, in a subquery that cannot be turned into a join: a planner that does not know the
// size of the table yet would read all of it. Not prepared for the same reason: streams are opened early in the life of an
// installation, and a plan that was made for empty tables would be kept.
const NEXT = `SELECT (wanted.n - 1)::int AS n, i.position, found.*
     FROM unnest($1::uuid[], $2::uuid[], $3::int8[]) WITH ORDINALITY AS wanted(space_id, bot_id, after, n)
    CROSS JOIN LATERAL (
      SELECT d.* FROM dm_inbox d
       WHERE d.space_id = wanted.space_id AND d.bot_id = wanted.bot_id AND d.position > wanted.after
       ORDER BY d.position LIMIT ${PAGE}
    ) i
     LEFT JOIN LATERAL (
       SELECT m.id AS "messageId", m.conversation_id AS "conversationId", m.author_id AS "authorId", m.text, m.msg_index AS "msgIndex",
              ${rfc3339('m.sent_at')} AS "sentAt",
              c.type, c.scope, c.subtype, c.parent_conversation_id AS "parentConversationId", coalesce(parent.type, c.type) AS "channelType"
         FROM messages m
         JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
         LEFT JOIN conversations parent ON parent.space_id = c.space_id AND parent.id = c.parent_conversation_id
        WHERE m.space_id = i.space_id AND m.id = i.message_id AND m.deleted_at IS NULL LIMIT 1
     ) found ON i.created_at > now() - $4::int * interval '1 hour'
    ORDER BY wanted.n, i.position`;

type NextRow = { n: number; position: number } & { [Field in keyof DmMessage]: DmMessage[Field] | null };

/** Reads inboxes; streams that read at the same time share statements. */
export class DmInbox {
  /** The position from which a new stream reads on: what the bot has got, or later where more is waiting than is kept. */
  readonly start: (owner: InboxOwner) => Promise<number>;
  /** The next {@link PAGE} entries after a position, with the messages as they are now. Fewer: there are no more. */
  readonly next: (place: InboxOwner & { after: number }) => Promise<InboxEntry[]>;

  constructor(db: Db, { limit, ttlHours }: InboxLimits) {
    this.start = microBatch(async (owners: InboxOwner[]) => {
      const rows = await db.query<{ n: number; position: number }>(START, [...columnsOf(owners), limit]);
      const positions = owners.map(() => 0);
      for (const { n, position } of rows) positions[n] = position;
      return positions;
    }, BATCH);
    this.next = microBatch(async (places: (InboxOwner & { after: number })[]) => {
      const rows = await db.query<NextRow>(NEXT, [
        ...columnsOf(places),
        places.map(({ after }) => after),
        ttlHours,
      ]);
      const entries: InboxEntry[][] = places.map(() => []);
      for (const row of rows) entries[row.n]?.push(entryOf(row));
      return entries;
    }, BATCH);
  }
}

function columnsOf(owners: InboxOwner[]): [string[], string[]] {
  return [owners.map(({ spaceId }) => spaceId), owners.map(({ botId }) => botId)];
}

function entryOf({ n: _, position, ...message }: NextRow): InboxEntry {
  return message.messageId === null ? { position } : { position, message: message as DmMessage };
}
