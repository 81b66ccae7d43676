import type { LiveViews } from '../live-view.js';

/**
 * Maximum number of events and characters buffered in one space while memberships are read, and of
 * characters in all spaces together.
 */
const MAX_EVENTS = 5_000;
const MAX_CHARACTERS = 8_388_608;
const MAX_CHARACTERS_IN_ALL = 67_108_864;

/** A channel event and its size on the bus in characters. */
export interface BufferedEvent {
  channelId: string;
  views: LiveViews;
  size: number;
}

/** Number of characters buffered in all spaces of this process. */
export class BufferTotal {
  characters = 0;

  get isFull(): boolean {
    return this.characters > MAX_CHARACTERS_IN_ALL;
  }
}

/** Buffers the events of one space while at least one read of memberships is running. */
export class EventBuffer {
  private events: BufferedEvent[] = [];
  private readings = 0;
  private size = 0;

  constructor(private readonly inAll: BufferTotal) {}

  /** Position in the buffer at which a new read starts. */
  get position(): number {
    return this.events.length;
  }

  /** Number of buffered characters. */
  get characters(): number {
    return this.size;
  }

  get isFull(): boolean {
    return this.events.length > MAX_EVENTS || this.size > MAX_CHARACTERS;
  }

  begin(): void {
    this.readings += 1;
  }

  end(): void {
    this.readings -= 1;
    if (this.readings > 0) return;
    this.inAll.characters -= this.size;
    this.size = 0;
    this.events = [];
  }

  /** Buffers an event if a read of memberships is running. */
  add(event: BufferedEvent): void {
    if (this.readings === 0) return;
    this.events.push(event);
    this.size += event.size;
    this.inAll.characters += event.size;
  }

  since(position: number): BufferedEvent[] {
    return this.events.slice(position);
  }
}
