import type { LiveViews } from '../live-view.js';

/**
 * What may be held back in one space while memberships are being read, and in all spaces together.
 */
const MAX_EVENTS = 5_000;
const MAX_CHARACTERS = 8_388_608;
const MAX_CHARACTERS_IN_ALL = 67_108_864;

/** An event of a channel, and how many characters it had on the bus. */
export interface HeldEvent {
  channelId: string;
  views: LiveViews;
  size: number;
}

/** What all spaces of a process hold back together. */
export class HeldInAll {
  characters = 0;

  get tooMuch(): boolean {
    return this.characters > MAX_CHARACTERS_IN_ALL;
  }
}

/** The flow of one space since the first of those readings began that are still under way. */
export class HeldFlow {
  private events: HeldEvent[] = [];
  private readings = 0;
  private size = 0;

  constructor(private readonly inAll: HeldInAll) {}

  /** Where in the flow a reading begins that begins now. */
  get position(): number {
    return this.events.length;
  }

  /** Characters that are held. */
  get characters(): number {
    return this.size;
  }

  get tooMuch(): boolean {
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

  /** Keeps an event for those whose memberships are being read. */
  hold(event: HeldEvent): void {
    if (this.readings === 0) return;
    this.events.push(event);
    this.size += event.size;
    this.inAll.characters += event.size;
  }

  since(position: number): HeldEvent[] {
    return this.events.slice(position);
  }
}
