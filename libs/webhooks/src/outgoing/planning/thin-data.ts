/** What of an event a subscription gets (decisions, section 11.3). */
export const PAYLOADS = ['full', 'thin'] as const;
/** One of {@link PAYLOADS}. */
export type Payload = (typeof PAYLOADS)[number];

/**
 * The fields of an event's `data` that say of whom and what it is; what happened there a receiver
 * fetches.
 */
const ID = /^(id|created_by|[a-z_]+_id)$/;

/** The ids of an event's `data`, in their order. */
export function thinData(data: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => ID.test(name)));
}
