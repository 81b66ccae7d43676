import type { EventBuffer } from './event-buffer.js';
import type { LiveMemberId } from '../live-events.js';
import type { LiveView } from '../live-view.js';
import type { Viewer } from '@tieline/conversations';

/** Receives the events of one stream. Called in order and synchronously; must not throw. */
export interface LiveReceiver {
  /** Called for each event that the member may see. */
  receive(view: LiveView): void;
  /** Events may have been lost before this call. The client should read history again. */
  missed(): void;
  /** The memberships could not be read. The stream must be closed. */
  failed(): void;
}

/** A space with listeners in this process, or with listeners about to connect. */
export interface LiveSpace {
  readonly members: Set<LiveMember>;
  readonly buffer: EventBuffer;
  /** Number of members and of pending connections. */
  references: number;
  readonly end: () => void;
}

/** A person or bot with at least one stream in this process. */
export interface LiveMember {
  readonly id: LiveMemberId;
  readonly space: LiveSpace;
  readonly viewer: Viewer;
  readonly receivers: Set<LiveReceiver>;
  readonly channels: Set<LiveChannel>;
  /** The current read of memberships, if one is running, and its position in the buffer. */
  reading: { readonly from: number } | undefined;
}

interface LiveChannel {
  readonly id: string;
  readonly members: Set<LiveMember>;
}

/** Indexes the connected members by channel, so that an event finds its receivers in one lookup. */
export class LiveAudience {
  private readonly members = new Map<string, LiveMember>();
  private readonly channels = new Map<string, LiveChannel>();

  find(spaceId: string, memberId: string): LiveMember | undefined {
    return this.members.get(keyOf(spaceId, memberId));
  }

  add(id: LiveMemberId, space: LiveSpace): LiveMember {
    const member: LiveMember = {
      id,
      space,
      viewer: { type: id.memberType, id: id.memberId },
      receivers: new Set(),
      channels: new Set(),
      reading: undefined,
    };
    this.members.set(keyOf(id.spaceId, id.memberId), member);
    space.members.add(member);
    return member;
  }

  /** @returns whether the member was present */
  remove(member: LiveMember): boolean {
    if (!member.space.members.delete(member)) return false;
    this.members.delete(keyOf(member.id.spaceId, member.id.memberId));
    for (const channel of [...member.channels]) this.leave(member, channel);
    return true;
  }

  all(): LiveMember[] {
    return [...this.members.values()];
  }

  membersOf(channelId: string): Iterable<LiveMember> {
    return this.channels.get(channelId)?.members ?? [];
  }

  isMember(member: LiveMember, channelId: string): boolean {
    const channel = this.channels.get(channelId);
    return channel !== undefined && member.channels.has(channel);
  }

  /** Replaces the member's channels. */
  setChannels(member: LiveMember, channelIds: readonly string[]): void {
    const current = new Set(channelIds);
    for (const channel of [...member.channels]) if (!current.has(channel.id)) this.leave(member, channel);
    for (const channelId of current) this.join(member, channelId);
  }

  private join(member: LiveMember, channelId: string): void {
    let channel = this.channels.get(channelId);
    if (!channel) this.channels.set(channelId, (channel = { id: channelId, members: new Set() }));
    channel.members.add(member);
    member.channels.add(channel);
  }

  private leave(member: LiveMember, channel: LiveChannel): void {
    member.channels.delete(channel);
    channel.members.delete(member);
    if (channel.members.size === 0) this.channels.delete(channel.id);
  }
}

const keyOf = (spaceId: string, memberId: string): string => `${spaceId}:${memberId}`;
