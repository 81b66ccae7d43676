import { IDS_OF_TYPES } from './event-types.js';

/** Payload formats of a subscription. */
export const PAYLOADS = ['full', 'thin'] as const;
export type Payload = (typeof PAYLOADS)[number];

/** Returns only the ids of an event's `data`, in their order. */
export function thinData(type: string, data: object): Record<string, unknown> {
  const ids = IDS_OF_TYPES.get(type);
  return Object.fromEntries(Object.entries(data).filter(([name]) => ids?.has(name)));
}
