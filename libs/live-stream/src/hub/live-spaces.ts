import type { Bus } from '@tieline/live';
import { EventBuffer, BufferTotal } from './event-buffer.js';
import type { LiveMember, LiveSpace } from './live-audience.js';
import { liveChannelOf } from '../live-events.js';
import type { LiveMessage } from '../live-events.js';

/** The spaces that this process listens to. */
export class LiveSpaces {
  private readonly byId = new Map<string, LiveSpace>();
  private readonly inAll = new BufferTotal();

  constructor(
    private readonly bus: Bus,
    private readonly take: (message: LiveMessage, size: number) => void,
  ) {}

  find(spaceId: string): LiveSpace | undefined {
    return this.byId.get(spaceId);
  }

  /** Starts listening to a space. Each call must be paired with one {@link leave}. */
  enter(spaceId: string): LiveSpace {
    const space = this.byId.get(spaceId) ?? this.add(spaceId);
    space.references += 1;
    return space;
  }

  leave(spaceId: string): void {
    const space = this.byId.get(spaceId);
    if (!space) return;
    space.references -= 1;
    if (space.references > 0) return;
    this.byId.delete(spaceId);
    space.end();
  }

  /** Resolves when every event published in the space from then on reaches this process. */
  ready(spaceId: string): Promise<void> {
    return this.bus.ready(liveChannelOf(spaceId));
  }

  /**
   * Returns the space whose waiting members must be disconnected: this space if its buffer is too
   * large, or the space with the largest buffer if the total is too large.
   */
  overfull(space: LiveSpace): LiveSpace | undefined {
    if (space.buffer.isFull) return space;
    if (!this.inAll.isFull) return undefined;
    return [...this.byId.values()].reduce((most, other) =>
      other.buffer.characters > most.buffer.characters ? other : most,
    );
  }

  close(): void {
    for (const { end } of this.byId.values()) end();
  }

  private add(spaceId: string): LiveSpace {
    const end = this.bus.subscribe(liveChannelOf(spaceId), (message, size) =>
      this.take(message as LiveMessage, size),
    );
    const space = { members: new Set<LiveMember>(), buffer: new EventBuffer(this.inAll), references: 0, end };
    this.byId.set(spaceId, space);
    return space;
  }
}
