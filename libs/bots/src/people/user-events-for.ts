import { chatEvents } from '@tieline/conversations';
import type { OutboxRecord } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import type { PersonChanged } from '@tieline/spaces';
import type { BotPlan } from '../events/bot-plan.js';
import type { DirectEventType } from '../poll/direct-event.js';
import { FIND_PEOPLE_READERS } from './people-readers.statements.js';
import type { UserEventData } from './user-events.js';

/** A change of a person and the bots that select its event. */
export interface SelectedPersonChange {
  record: OutboxRecord<PersonChanged>;
  bots: readonly BotPlan[];
}

/** An event of a person as one bot gets it. */
export interface UserEventForBot {
  spaceId: string;
  bot: BotPlan;
  eventId: string;
  eventType: DirectEventType;
  /** JSON of its data. */
  payload: string;
  /** The envelope without `data`. */
  head: string;
}

/** Returns the type of the event that a change of a person is. */
export const userEventType = ({ changes }: PersonChanged): UserEventData['event_type'] =>
  changes === null ? 'USER_CREATED' : 'USER_UPDATED';

/**
 * Returns the events of people for the bots that may read people (scope `users:read`). Addresses
 * are included as in `GET /bot/users`; a bot that may not see them gets no event of their change.
 */
export async function userEventsFor(
  tx: Tx,
  selected: readonly SelectedPersonChange[],
): Promise<UserEventForBot[]> {
  const bots = selected.flatMap(({ bots: some }) => some.map(({ id }) => id));
  if (bots.length === 0) return [];
  const spaces = new Set(selected.map(({ record }) => record.spaceId));
  const rows = await tx.query(FIND_PEOPLE_READERS, [[...spaces], [...new Set(bots)]]);
  const readers = new Map(rows.map(({ id, seesEmails }) => [id, seesEmails]));
  return selected.flatMap(({ record, bots: some }) =>
    some.flatMap((bot) => {
      const seesEmails = readers.get(bot.id);
      const data = seesEmails === undefined ? undefined : dataOf(record.payload, seesEmails);
      return data ? [eventOf(record, bot, data)] : [];
    }),
  );
}

function dataOf(changed: PersonChanged, seesEmails: boolean): UserEventData | undefined {
  const { email, ...person } = changed.user;
  const facts = {
    user_id: person.id,
    user: { ...person, ...(seesEmails && email !== '' && { email }) },
    occurred_at: changed.occurred_at,
  };
  if (changed.changes === null) return { event_type: 'USER_CREATED', ...facts };
  const changes = changed.changes.filter((name) => seesEmails || name !== 'email');
  return changes.length === 0 ? undefined : { event_type: 'USER_UPDATED', ...facts, changes };
}

function eventOf(
  { spaceId, eventId, payload: { actor_id: actorUserId } }: OutboxRecord<PersonChanged>,
  bot: BotPlan,
  data: UserEventData,
): UserEventForBot {
  const { event_type: eventType, occurred_at: occurredAt } = data;
  const head = chatEvents.envelope({
    ...{ eventId, eventType, spaceId, actorUserId },
    conversationId: '',
    threadId: '',
    occurredAt: occurredAt.replace('Z', '000000Z'),
    data: null,
  });
  return { spaceId, bot, eventId, eventType, payload: JSON.stringify(data), head };
}
