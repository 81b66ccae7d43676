import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Bus } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import { LiveAudience } from './live-audience.js';
import type { LiveMember, LiveReceiver, LiveSpace } from './live-audience.js';
import type { BufferedEvent } from './event-buffer.js';
import { LIVE_CHANNEL } from '../live-events.js';
import type { LiveMemberId, LiveMessage } from '../live-events.js';
import { membershipReader } from './live-memberships.js';
import type { MembershipReader } from './live-memberships.js';
import { LiveSpaces } from './live-spaces.js';
import { LiveViews } from '../live-view.js';
import { ResyncNotifier } from './resync-notifier.js';
import { MetadataVisibility } from '@tieline/conversations';

/** Number of attempts to read memberships, and the pause between them. */
const READ_TRIES = 5;
const READ_PAUSE_MS = 200;

type ChannelMessage = Extract<LiveMessage, { to: 'channel' }>;

/**
 * Delivers live events to the streams of this process. An event goes to the connected members of
 * its channel. Membership changes are part of the same sequence of events: on one, the hub reads
 * that member's channels again and buffers events meant for them in between. A removed member
 * therefore receives nothing that was sent after the removal.
 *
 * A new connection is registered first. Events that arrive while its memberships are read are
 * buffered and delivered afterwards, so none is lost. After a gap in the events the hub reads all
 * memberships again in the same way. Buffers are bounded: if one overflows, the waiting members of
 * that space are disconnected.
 */
@Injectable()
export class LiveHub implements OnModuleInit, OnModuleDestroy {
  private readonly audience = new LiveAudience();
  private readonly memberships: MembershipReader;
  private readonly resyncs = new ResyncNotifier();
  private readonly endings: (() => void)[] = [];
  private readonly spaces: LiveSpaces;

  constructor(
    private readonly bus: Bus,
    private readonly visibility: MetadataVisibility,
    db: Db,
  ) {
    this.memberships = membershipReader(db);
    this.spaces = new LiveSpaces(bus, (message, size) => this.handle(message, size));
  }

  onModuleInit(): void {
    this.endings.push(
      this.bus.subscribe(LIVE_CHANNEL, (message, size) => this.handle(message as LiveMessage, size)),
      this.bus.onReconnect(() => this.resyncAll()),
    );
  }

  onModuleDestroy(): void {
    for (const end of this.endings.splice(0)) end();
    this.spaces.close();
  }

  /**
   * Starts listening to the space. Resolves when every event published in it reaches this process.
   * Await it before {@link connect}.
   * @returns a function that releases this subscription; call it after `connect`
   */
  async ready(spaceId: string): Promise<() => void> {
    this.spaces.enter(spaceId);
    await this.spaces.ready(spaceId);
    return () => this.spaces.leave(spaceId);
  }

  /**
   * Passes every event that arrives after this call to `receiver`.
   * @returns a function that disconnects the receiver
   */
  connect(id: LiveMemberId, receiver: LiveReceiver): () => void {
    const known = this.audience.find(id.spaceId, id.memberId);
    const member = known ?? this.audience.add(id, this.spaces.enter(id.spaceId));
    member.receivers.add(receiver);
    if (!known) void this.readMemberships(member);
    return () => {
      member.receivers.delete(receiver);
      this.resyncs.cancel(receiver);
      if (member.receivers.size === 0) this.forget(member);
    };
  }

  private handle(message: LiveMessage, size: number): void {
    switch (message.to) {
      case 'channel':
        return this.toChannel(message, size);
      case 'member':
        return this.withMember(message, (member) =>
          deliver(member, new LiveViews(message.event, this.visibility)),
        );
      case 'membership':
        return this.withMember(message, (member) => void this.readMemberships(member));
      case 'everybody':
        return this.resyncAll();
      default:
        // A newer version may send other messages during a rolling update.
        return;
    }
  }

  private withMember(
    { space_id, member_id }: { space_id: string; member_id: string },
    work: (member: LiveMember) => void,
  ): void {
    const member = this.audience.find(space_id, member_id);
    if (member) work(member);
  }

  private toChannel({ space_id, channel_id: channelId, event }: ChannelMessage, size: number): void {
    const views = new LiveViews(event, this.visibility);
    const space = this.spaces.find(space_id);
    if (space) this.buffer(space, { channelId, views, size });
    for (const member of [...this.audience.membersOf(channelId)]) if (!member.reading) deliver(member, views);
  }

  private buffer(space: LiveSpace, event: BufferedEvent): void {
    space.buffer.add(event);
    const overfull = this.spaces.overfull(space);
    for (const member of [...(overfull?.members ?? [])]) if (member.reading) this.disconnect(member);
  }

  /**
   * Handles a gap in the events. Membership changes may be among the lost events, so all
   * memberships are read again and all streams resync.
   */
  private resyncAll(): void {
    const members = this.audience.all();
    for (const member of members) {
      void this.readMemberships(member).then(() => {
        for (const receiver of [...member.receivers]) this.resyncs.notify(receiver, members.length);
      });
    }
  }

  /** Reads the member's channels while buffering events, then delivers the buffered events. */
  private async readMemberships(member: LiveMember): Promise<void> {
    const { buffer } = member.space;
    const reading = { from: member.reading?.from ?? buffer.position };
    if (!member.reading) buffer.begin();
    member.reading = reading;
    const channelIds = await this.channelsOf(member, reading);
    // A later read has replaced this one, or the last receiver has disconnected.
    if (member.reading !== reading) return;
    if (!channelIds) return this.disconnect(member);
    this.audience.setChannels(member, channelIds);
    for (const { channelId, views } of buffer.since(reading.from))
      if (this.audience.isMember(member, channelId)) deliver(member, views);
    this.endReading(member);
  }

  private async channelsOf(member: LiveMember, reading: object): Promise<string[] | undefined> {
    for (let tries = 0; tries < READ_TRIES && member.reading === reading; tries += 1) {
      if (tries > 0) await sleep(READ_PAUSE_MS);
      const found = await this.memberships(member.id).catch(() => undefined);
      if (found) return found;
    }
    return undefined;
  }

  private endReading(member: LiveMember): void {
    if (!member.reading) return;
    member.reading = undefined;
    member.space.buffer.end();
  }

  private disconnect(member: LiveMember): void {
    for (const receiver of [...member.receivers]) receiver.failed();
    this.forget(member);
  }

  private forget(member: LiveMember): void {
    this.endReading(member);
    if (this.audience.remove(member)) this.spaces.leave(member.id.spaceId);
  }
}

function deliver(member: LiveMember, views: LiveViews): void {
  const view = views.of(member.viewer);
  for (const receiver of [...member.receivers]) receiver.receive(view);
}
