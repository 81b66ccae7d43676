import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Bus } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import { LiveAudience } from './live-audience.js';
import type { LiveMember, LiveReceiver } from './live-audience.js';
import { LIVE_CHANNEL } from './live-events.js';
import type { LiveMemberId, LiveMessage } from './live-events.js';
import { membershipReader } from './live-memberships.js';
import type { MembershipReader } from './live-memberships.js';
import { LiveViews } from './live-view.js';
import { Resyncs } from './resyncs.js';
import { MetadataVisibility } from '../ports/metadata-visibility.js';

/** What may be held back while memberships are being read; beyond it those who wait are disconnected. */
const MAX_HELD = 20_000;
/** How often, and how long apart, a failed reading is tried. */
const READ_TRIES = 5;
const READ_PAUSE_MS = 200;

type ChannelMessage = Extract<LiveMessage, { to: 'channel' }>;

/**
 * Brings the live flow to the streams of this process. An event goes to those who are members of its channel. That
 * somebody joined or left is part of the same flow: their memberships are then read again, and nothing is passed on to
 * them in the meantime, so whoever was removed gets nothing that came later.
 *
 * Whoever connects is registered first; what flows while the memberships are being read is held and passed on
 * afterwards, so nothing is lost in between. After a gap in the flow everybody's memberships are read again like that.
 */
@Injectable()
export class LiveHub implements OnModuleInit, OnModuleDestroy {
  private readonly audience = new LiveAudience();
  private readonly memberships: MembershipReader;
  private readonly resyncs = new Resyncs();
  private readonly endings: (() => void)[] = [];
  /** The flow since the first of those readings began that are still under way, and how many these are. */
  private held: { channelId: string; views: LiveViews }[] = [];
  private readings = 0;

  constructor(
    private readonly bus: Bus,
    private readonly visibility: MetadataVisibility,
    db: Db,
  ) {
    this.memberships = membershipReader(db);
  }

  onModuleInit(): void {
    this.endings.push(
      this.bus.subscribe(LIVE_CHANNEL, (message) => this.take(message as LiveMessage)),
      this.bus.onReconnect(() => this.missed()),
    );
  }

  onModuleDestroy(): void {
    for (const end of this.endings.splice(0)) end();
  }

  /**
   * Begins to pass events to `receiver`: everything that arrives after this call.
   * @returns the function that ends it
   */
  connect(id: LiveMemberId, receiver: LiveReceiver): () => void {
    const known = this.audience.find(id.spaceId, id.memberId);
    const member = known ?? this.audience.add(id);
    member.receivers.add(receiver);
    if (!known) void this.read(member);
    return () => {
      member.receivers.delete(receiver);
      this.resyncs.forget(receiver);
      if (member.receivers.size === 0) this.forget(member);
    };
  }

  private take(message: LiveMessage): void {
    switch (message.to) {
      case 'channel':
        return this.toChannel(message);
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

  private toChannel({ channel_id: channelId, event }: ChannelMessage): void {
    const views = new LiveViews(event, this.visibility);
    if (this.readings > 0) this.hold(channelId, views);
    for (const member of [...this.audience.membersOf(channelId)]) if (!member.reading) pass(member, views);
  }

  private hold(channelId: string, views: LiveViews): void {
    this.held.push({ channelId, views });
    if (this.held.length <= MAX_HELD) return;
    for (const member of this.audience.all()) if (member.reading) this.giveUp(member);
  }

  /** Events were lost, news of members among them perhaps: all memberships are read again, and clients told to catch up. */
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
    const reading = { from: member.reading?.from ?? this.held.length };
    if (!member.reading) this.readings += 1;
    member.reading = reading;
    const channelIds = await this.channelsOf(member, reading);
    // Overtaken by a later reading, which knows more; or everybody has left.
    if (member.reading !== reading) return;
    if (!channelIds) return this.giveUp(member);
    this.audience.setChannels(member, channelIds);
    for (const { channelId, views } of this.held.slice(reading.from))
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
    this.readings -= 1;
    if (this.readings === 0) this.held = [];
  }

  private giveUp(member: LiveMember): void {
    for (const receiver of [...member.receivers]) receiver.failed();
    this.forget(member);
  }

  private forget(member: LiveMember): void {
    this.endReading(member);
    this.audience.remove(member);
  }
}

function pass(member: LiveMember, views: LiveViews): void {
  const view = views.of(member.viewer);
  for (const receiver of [...member.receivers]) receiver.receive(view);
}
