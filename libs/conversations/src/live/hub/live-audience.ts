import type { HeldFlow } from './held-flow.js';
import type { LiveMemberId } from '../live-events.js';
import type { LiveView } from '../live-view.js';
import type { Viewer } from '../../ports/metadata-visibility.js';

/** Takes the events of one stream. Called in order, synchronously; must not throw. */
export interface LiveReceiver {
  /** An event that the member may see. */
  receive(view: LiveView): void;
  /** Events may be missing before this: what the stream's client holds should be read again. */
  missed(): void;
  /** Who is a member of what cannot be found out: end the stream. */
  failed(): void;
}

/** A space that has listeners in this process, or is about to. */
export interface LiveSpace {
  readonly members: Set<LiveMember>;
  readonly held: HeldFlow;
  /** Members, and those who are about to connect. */
  wanted: number;
  readonly end: () => void;
}

/** Somebody with at least one stream in this process. */
export interface LiveMember {
  readonly id: LiveMemberId;
  readonly space: LiveSpace;
  readonly viewer: Viewer;
  readonly receivers: Set<LiveReceiver>;
  readonly channels: Set<LiveChannel>;
  /**
   * While the memberships are being read: the present reading, and where in the held flow to go on
   * from.
   */
  reading: { readonly from: number } | undefined;
}

interface LiveChannel {
  readonly id: string;
  readonly members: Set<LiveMember>;
}

/**
 * Who is connected here, and who of them is a member of which channel. An event finds its receivers
 * in one look-up.
 */
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

  /** @returns whether it was there */
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

  /** Replaces what is known about the member. */
  setChannels(member: LiveMember, channelIds: readonly string[]): void {
    const wanted = new Set(channelIds);
    for (const channel of [...member.channels]) if (!wanted.has(channel.id)) this.leave(member, channel);
    for (const channelId of wanted) this.join(member, channelId);
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
