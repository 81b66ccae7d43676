import { appendOutbox } from '@tieline/delivery';
import type { OutboxRecord } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import type { LiveEvent, LiveMessage } from './live-events.js';

/** Type of an outbox event that is for people's streams only. */
const LIVE_EVENT = 'live.event';

/** A stream event, and who receives it. */
export interface ChannelEvent {
  spaceId: string;
  /** Every member receives it. A thread's channel is its parent. */
  channelId: string;
  /** These people receive it as well, whether they are members or not. */
  personIds?: readonly string[];
  event: LiveEvent;
}

type Payload = Pick<ChannelEvent, 'channelId' | 'event'> & { personIds: readonly string[] };

/**
 * Sends an event to the open streams of a channel's members, in the caller's transaction. It takes
 * the same way as messages and memberships, so that a stream shows all of them in order: someone
 * who joined the channel before receives it, someone who left does not. After a crash it may be
 * missing; clients then read the state again.
 */
export async function appendLiveEvent(tx: Tx, { spaceId, channelId, ...rest }: ChannelEvent): Promise<void> {
  const payload: Payload = { channelId, personIds: rest.personIds ?? [], event: rest.event };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId, type: LIVE_EVENT, payload });
}

/** Returns the stream messages for a committed event of {@link appendLiveEvent}. */
export function liveMessages({ type, spaceId, payload }: OutboxRecord): LiveMessage[] {
  if (type !== LIVE_EVENT) return [];
  const { channelId, personIds, event } = payload as Payload;
  return [
    { to: 'channel', space_id: spaceId, channel_id: channelId, event },
    ...personIds.map((id): LiveMessage => ({ to: 'member', space_id: spaceId, member_id: id, event })),
  ];
}
