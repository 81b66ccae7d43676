/** Which events somebody wants. */
export interface Interest {
  eventTypes: readonly string[];
  /** Empty: of all channels. */
  channelIds: readonly string[];
}

/**
 * Those of a space who want events of some types, anywhere or in some channels alone. Who wants an
 * event is looked up: whoever is narrowed to other channels costs it nothing, however many there
 * are.
 */
export class Interests<Who> {
  private readonly anywhere = new Map<string, Who[]>();
  private readonly narrowed = new Map<string, { who: Who; eventTypes: readonly string[] }[]>();

  add(who: Who, { eventTypes, channelIds }: Interest): void {
    for (const channelId of new Set(channelIds)) append(this.narrowed, channelId, { who, eventTypes });
    if (channelIds.length === 0) for (const type of new Set(eventTypes)) append(this.anywhere, type, who);
  }

  /** Who wants events of a type that happen in a channel; those who want all of its type first. */
  in(channelId: string, type: string): Who[] {
    const here = this.narrowed.get(channelId) ?? [];
    return [
      ...this.everywhere(type),
      ...here.filter(({ eventTypes }) => eventTypes.includes(type)).map(({ who }) => who),
    ];
  }

  /** Who wants events of a type wherever they happen. */
  everywhere(type: string): readonly Who[] {
    return this.anywhere.get(type) ?? [];
  }
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
