import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Bus } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import { LiveAudience } from './live-audience.js';
import type { LiveMember, LiveReceiver, LiveSpace } from './live-audience.js';
import type { HeldEvent } from './held-flow.js';
import { LIVE_CHANNEL } from '../live-events.js';
import type { LiveMemberId, LiveMessage } from '../live-events.js';
import { membershipReader } from './live-memberships.js';
import type { MembershipReader } from './live-memberships.js';
import { LiveSpaces } from './live-spaces.js';
import { LiveViews } from '../live-view.js';
import { Resyncs } from './resyncs.js';
import { MetadataVisibility } from '../../ports/metadata-visibility.js';

/** How often, and how long apart, a failed reading is tried. */
const READ_TRIES = 5;
const READ_PAUSE_MS = 200;

type ChannelMessage = Extract<LiveMessage, { to: 'channel' }>;

/**
 * Brings the live flow to the streams of this process. An event goes to those who are members of
 * its channel. That somebody joined or left is part of the same flow: their memberships are then
 * read again, and nothing is passed on to them in the meantime, so whoever was removed gets nothing
 * that came later.
 *
 * Whoever connects is registered first; what flows while the memberships are being read is held and
 * passed on afterwards, so nothing is lost in between. After a gap in the flow everybody's
 * memberships are read again like that. What a space holds is bounded: beyond it those of the space
 * who wait are disconnected.
 */
@Injectable()
export class LiveHub implements OnModuleInit, OnModuleDestroy {
  private readonly audience = new LiveAudience();
  private readonly memberships: MembershipReader;
  private readonly resyncs = new Resyncs();
  private readonly endings: (() => void)[] = [];
  private readonly spaces: LiveSpaces;

  constructor(
    private readonly bus: Bus,
    private readonly visibility: MetadataVisibility,
    db: Db,
  ) {
    this.memberships = membershipReader(db);
    this.spaces = new LiveSpaces(bus, (message, size) => this.take(message, size));
  }

  onModuleInit(): void {
    this.endings.push(
      this.bus.subscribe(LIVE_CHANNEL, (message, size) => this.take(message as LiveMessage, size)),
      this.bus.onReconnect(() => this.missed()),
    );
  }

  onModuleDestroy(): void {
    for (const end of this.endings.splice(0)) end();
    this.spaces.close();
  }

  /**
   * Resolves when everything that is published in the space gets to this process: to be awaited
   * before {@link connect}, which begins to listen all the same. @returns the function that ends
   * what this call began; to be called after `connect`
   */
  async ready(spaceId: string): Promise<() => void> {
    this.spaces.enter(spaceId);
    await this.spaces.ready(spaceId);
    return () => this.spaces.leave(spaceId);
  }

  /**
   * Begins to pass events to `receiver`: everything that arrives after this call.
   * @returns the function that ends it
   */
  connect(id: LiveMemberId, receiver: LiveReceiver): () => void {
    const known = this.audience.find(id.spaceId, id.memberId);
    const member = known ?? this.audience.add(id, this.spaces.enter(id.spaceId));
    member.receivers.add(receiver);
    if (!known) void this.read(member);
    return () => {
      member.receivers.delete(receiver);
      this.resyncs.forget(receiver);
      if (member.receivers.size === 0) this.forget(member);
    };
  }

  private take(message: LiveMessage, size: number): void {
    switch (message.to) {
      case 'channel':
        return this.toChannel(message, size);
      case 'member':
        return this.withMember(message, (member) =>
          pass(member, new LiveViews(message.event, this.visibility)),
        );
      case 'membership':
        return this.withMember(message, (member) => void this.read(member));
      case 'everybody':
        return this.missed();
      default:
        // A newer version may send more during a rolling update.
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
    if (space) this.hold(space, { channelId, views, size });
    for (const member of [...this.audience.membersOf(channelId)]) if (!member.reading) pass(member, views);
  }

  private hold(space: LiveSpace, event: HeldEvent): void {
    space.held.hold(event);
    const overfull = this.spaces.overfull(space);
    for (const member of [...(overfull?.members ?? [])]) if (member.reading) this.giveUp(member);
  }

  /**
   * Events were lost, news of members among them perhaps: all memberships are read again, and
   * clients told to catch up.
   */
  private missed(): void {
    const members = this.audience.all();
    for (const member of members) {
      void this.read(member).then(() => {
        for (const receiver of [...member.receivers]) this.resyncs.tell(receiver, members.length);
      });
    }
  }

  /** Reads the member's channels, holding back the flow for them; then passes on what was held. */
  private async read(member: LiveMember): Promise<void> {
    const { held } = member.space;
    const reading = { from: member.reading?.from ?? held.position };
    if (!member.reading) held.begin();
    member.reading = reading;
    const channelIds = await this.channelsOf(member, reading);
    // Overtaken by a later reading, which knows more; or everybody has left.
    if (member.reading !== reading) return;
    if (!channelIds) return this.giveUp(member);
    this.audience.setChannels(member, channelIds);
    for (const { channelId, views } of held.since(reading.from))
      if (this.audience.isMember(member, channelId)) pass(member, views);
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
    member.space.held.end();
  }

  private giveUp(member: LiveMember): void {
    for (const receiver of [...member.receivers]) receiver.failed();
    this.forget(member);
  }

  private forget(member: LiveMember): void {
    this.endReading(member);
    if (this.audience.remove(member)) this.spaces.leave(member.id.spaceId);
  }
}

function pass(member: LiveMember, views: LiveViews): void {
  const view = views.of(member.viewer);
  for (const receiver of [...member.receivers]) receiver.receive(view);
}
