import { Injectable } from '@nestjs/common';
import { Bus } from '@tieline/live';
import type { MemberType } from '../events/chat-event.js';

/** What a stream carries (decisions, section 8): the fields of the wire, `event` among them. */
export interface LiveEvent {
  event: string;
  [field: string]: unknown;
}

/** Who is connected to the live flow, or addressed by it. */
export interface LiveMemberId {
  spaceId: string;
  memberId: string;
  memberType: MemberType;
}

/** What travels from process to process, in this order: to whom, and what. */
export type LiveMessage =
  /** To every member of a channel (a thread's channel is its parent). */
  | { to: 'channel'; space_id: string; channel_id: string; event: LiveEvent }
  /** To one person or bot. */
  | { to: 'member'; space_id: string; member_id: string; event: LiveEvent }
  /** Before this, somebody became a member of a channel or ceased to be one. */
  | { to: 'membership'; space_id: string; member_id: string }
  /** Something may be missing before this. */
  | { to: 'everybody'; gap: true };

/** The bus channel of what concerns every space. */
export const LIVE_CHANNEL = 'live';

/**
 * The bus channel of one space's flow: it comes to those processes alone that have listeners in
 * spaces of its topic.
 */
export const liveChannelOf = (spaceId: string): string => `${LIVE_CHANNEL}@${spaceId}`;

/** Sends a message to those whom it concerns. */
export function publishLive(bus: Bus, message: LiveMessage): void {
  bus.publish(message.to === 'everybody' ? LIVE_CHANNEL : liveChannelOf(message.space_id), message);
}

/**
 * Sends what is nobody else's business to one person's open streams, wherever they are connected:
 * `ephemeral`, `modal.open`, `notification`. Nothing is stored; a person without an open stream
 * never gets it. Call it after the commit, never inside a transaction.
 */
@Injectable()
export class LiveEvents {
  constructor(private readonly bus: Bus) {}

  /** To all open streams of one person. */
  toPerson(spaceId: string, userId: string, event: LiveEvent): void {
    this.publish({ to: 'member', space_id: spaceId, member_id: userId, event });
  }

  /** To all open streams of the members of a channel; for a thread name its parent. */
  toChannel(spaceId: string, channelId: string, event: LiveEvent): void {
    this.publish({ to: 'channel', space_id: spaceId, channel_id: channelId, event });
  }

  private publish(message: LiveMessage): void {
    publishLive(this.bus, message);
  }
}
