/** Channels that an admin limits the bot of an app to. */
export interface ChosenChannels {
  /** `kept`: as before, for an app that is installed. */
  which: 'kept' | 'all' | 'some';
  /** Only with `some`. */
  ids: readonly string[];
}

/** An empty list would mean all channels, so `some` needs at least one. */
export const isIncomplete = ({ which, ids }: ChosenChannels): boolean => which === 'some' && ids.length === 0;

/** Returns `channel_ids` for the API: absent keeps the channels, and an empty list means all. */
export function channelIdsOf({ which, ids }: ChosenChannels): string[] | undefined {
  if (which === 'kept') return undefined;
  return which === 'all' ? [] : [...ids];
}
