import { addMember, createConversation, removeMember } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import type { TestAnswer } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { PLAN_LOCK } from '../../testing/events-rig.js';
import type { EventsRig } from '../../testing/events-rig.js';

/** Tests hold bots in several shapes. */
interface BotId {
  id: string;
}

/** One event in a bot's queue. */
export interface Queued {
  eventId: string;
  type: string;
  data: TestAnswer['body'];
}

/**
 * Holds the relay back while `work` commits, so that it plans events after what they are judged by
 * has changed.
 */
export async function beforePlanning(rig: EventsRig, work: () => Promise<unknown>): Promise<void> {
  await rig.planned();
  await runInWorkerTx(rig.api.db, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [PLAN_LOCK]);
    await work();
  });
  await rig.planned();
}

/**
 * What is in a bot's queue once everything is planned, oldest first; also when its mode is no
 * longer `poll`.
 */
export async function queued(rig: EventsRig, { id }: BotId): Promise<Queued[]> {
  await rig.planned();
  const rows = await readRows<{ event_id: string; event_type: string; payload: string }>(
    rig.api.db,
    'SELECT event_id, event_type, payload FROM poll_records WHERE bot_id = $1 ORDER BY poll_records.id',
    [id],
  );
  return rows.map(({ event_id, event_type, payload }) => ({
    eventId: event_id,
    type: event_type,
    data: JSON.parse(payload),
  }));
}

/** The texts of the messages in a bot's queue. */
export async function textsOf(rig: EventsRig, bot: BotId): Promise<string[]> {
  return (await queued(rig, bot)).map(({ data }) => data.text);
}

export const person = (id: string): { id: string; type: 'user' } => ({ id, type: 'user' });
export const asBot = ({ id }: BotId): { id: string; type: 'bot' } => ({ id, type: 'bot' });

/** The direct conversation of a bot and a person, by default the owner. */
export function directOf(rig: EventsRig, bot: BotId, personId = rig.owner.id): Promise<string> {
  return rig.chat.direct(person(personId), asBot(bot));
}

/** Makes a channel as people make one, with its event. */
export async function newChannel(rig: EventsRig, isPublic: boolean, ...bots: BotId[]): Promise<string> {
  const channel = {
    spaceId: rig.space.spaceId,
    type: 'channel' as const,
    name: 'new',
    isPublic,
    createdBy: rig.owner.id,
    members: bots.map(asBot),
  };
  return (await runInWorkerTx(rig.api.db, (tx) => createConversation(tx, channel))).id;
}

export async function join(rig: EventsRig, bot: BotId, conversationId: string): Promise<void> {
  await runInWorkerTx(rig.api.db, (tx) =>
    addMember(tx, { spaceId: rig.space.spaceId, conversationId, member: asBot(bot) }),
  );
}

export async function leave(rig: EventsRig, bot: BotId, conversationId: string): Promise<void> {
  await runInWorkerTx(rig.api.db, (tx) =>
    removeMember(tx, { spaceId: rig.space.spaceId, conversationId, memberId: bot.id }),
  );
}
