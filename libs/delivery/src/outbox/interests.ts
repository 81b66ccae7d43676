/** The events that a subscription or bot wants. */
export interface Interest {
  eventTypes: readonly string[];
  /** Empty for all channels. */
  channelIds: readonly string[];
}

/**
 * Finds the subscriptions or bots of a space that want an event, by its type and channel. Those
 * limited to other channels cost nothing, however many there are.
 */
export class Interests<Who> {
  private readonly anywhere = new Map<string, Who[]>();
  private readonly narrowed = new Map<string, { who: Who; eventTypes: readonly string[] }[]>();

  add(who: Who, { eventTypes, channelIds }: Interest): void {
    for (const channelId of new Set(channelIds)) append(this.narrowed, channelId, { who, eventTypes });
    if (channelIds.length === 0) for (const type of new Set(eventTypes)) append(this.anywhere, type, who);
  }

  /**
   * Returns those that want events of a type in a channel. Those that want the type in all channels
   * come first.
   */
  in(channelId: string, type: string): Who[] {
    const here = this.narrowed.get(channelId) ?? [];
    return [
      ...this.everywhere(type),
      ...here.filter(({ eventTypes }) => eventTypes.includes(type)).map(({ who }) => who),
    ];
  }

  /** Returns those that want events of a type in all channels. */
  everywhere(type: string): readonly Who[] {
    return this.anywhere.get(type) ?? [];
  }
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
