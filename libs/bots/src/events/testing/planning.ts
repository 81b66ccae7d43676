import { removeMember } from '@tieline/conversations';
import { addMember, createConversation } from '@tieline/conversations/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import type { TestAnswer } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { PLAN_LOCK } from '../../testing/events-harness.js';
import type { EventsHarness } from '../../testing/events-harness.js';

/** A bot, of which tests have several shapes. */
interface BotId {
  id: string;
}

/** An event in a bot's queue. */
export interface QueuedEvent {
  eventId: string;
  type: string;
  data: TestAnswer['body'];
}

/**
 * Holds the relay back while `work` commits, so that it plans events after the settings and
 * memberships have changed.
 */
export async function beforePlanning(harness: EventsHarness, work: () => Promise<unknown>): Promise<void> {
  await harness.planned();
  await runInWorkerTx(harness.api.db, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [PLAN_LOCK]);
    await work();
  });
  await harness.planned();
}

/** Returns a bot's queue after everything is planned, oldest first, whatever its mode is now. */
export async function queued(harness: EventsHarness, { id }: BotId): Promise<QueuedEvent[]> {
  await harness.planned();
  const rows = await readRows<{ event_id: string; event_type: string; payload: string }>(
    harness.api.db,
    'SELECT event_id, event_type, payload FROM poll_records WHERE bot_id = $1 ORDER BY poll_records.id',
    [id],
  );
  return rows.map(({ event_id, event_type, payload }) => ({
    eventId: event_id,
    type: event_type,
    data: JSON.parse(payload),
  }));
}

/** Returns the texts of the messages in a bot's queue. */
export async function textsOf(harness: EventsHarness, bot: BotId): Promise<string[]> {
  return (await queued(harness, bot)).map(({ data }) => data.text);
}

export const person = (id: string): { id: string; type: 'user' } => ({ id, type: 'user' });
export const asBot = ({ id }: BotId): { id: string; type: 'bot' } => ({ id, type: 'bot' });

/** Opens the direct conversation of a bot and a person, by default the owner. */
export function directOf(harness: EventsHarness, bot: BotId, personId = harness.owner.id): Promise<string> {
  return harness.chat.direct(person(personId), asBot(bot));
}

/** Creates a channel as people do, with its event. */
export async function newChannel(
  harness: EventsHarness,
  isPublic: boolean,
  ...bots: BotId[]
): Promise<string> {
  const channel = {
    spaceId: harness.space.spaceId,
    type: 'channel' as const,
    name: 'new',
    isPublic,
    creator: { id: harness.owner.id, type: 'user' as const },
    members: bots.map(asBot),
  };
  return (await runInWorkerTx(harness.api.db, (tx) => createConversation(tx, channel))).id;
}

export async function join(harness: EventsHarness, bot: BotId, conversationId: string): Promise<void> {
  await runInWorkerTx(harness.api.db, (tx) =>
    addMember(tx, { spaceId: harness.space.spaceId, conversationId, member: asBot(bot) }),
  );
}

export async function leave(harness: EventsHarness, bot: BotId, conversationId: string): Promise<void> {
  await runInWorkerTx(harness.api.db, (tx) =>
    removeMember(tx, { spaceId: harness.space.spaceId, conversationId, memberId: bot.id }),
  );
}
