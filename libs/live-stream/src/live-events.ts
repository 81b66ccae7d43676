import { Injectable } from '@nestjs/common';
import { Bus } from '@tieline/live';
import type { MemberType } from '@tieline/conversations';

/** An event on a stream: its wire fields, including `event`. */
export interface LiveEvent {
  event: string;
  [field: string]: unknown;
}

/** A person or bot that is connected to the live events or addressed by one. */
export interface LiveMemberId {
  spaceId: string;
  memberId: string;
  memberType: MemberType;
}

/** A message between processes, with its recipients. */
export type LiveMessage =
  /** To every member of a channel. A thread's channel is its parent. */
  | { to: 'channel'; space_id: string; channel_id: string; event: LiveEvent }
  /** To one person or bot. */
  | { to: 'member'; space_id: string; member_id: string; event: LiveEvent }
  /** A person or bot joined or left a channel before this message. */
  | { to: 'membership'; space_id: string; member_id: string }
  /** Messages may have been lost before this one. */
  | { to: 'everybody'; gap: true };

/** The bus channel for messages that concern all spaces. */
export const LIVE_CHANNEL = 'live';

/**
 * Returns the bus channel of one space. Only processes that listen to a space of the same topic
 * receive it.
 */
export const liveChannelOf = (spaceId: string): string => `${LIVE_CHANNEL}@${spaceId}`;

/** Publishes a message to the processes that need it. */
export function publishLive(bus: Bus, message: LiveMessage): void {
  bus.publish(message.to === 'everybody' ? LIVE_CHANNEL : liveChannelOf(message.space_id), message);
}

/**
 * Sends events to the open streams of one person, in any process: `ephemeral`, `modal.open`,
 * `notification`. Nothing is stored; a person without an open stream never receives the event. Call
 * it after the commit, never inside a transaction. Events for the members of a channel go through
 * `appendLiveEvent` instead, because a stream learns of memberships from the outbox.
 */
@Injectable()
export class LiveEvents {
  constructor(private readonly bus: Bus) {}

  /** Sends an event to all open streams of one person. */
  toPerson(spaceId: string, userId: string, event: LiveEvent): void {
    publishLive(this.bus, { to: 'member', space_id: spaceId, member_id: userId, event });
  }
}
