/** Payload formats of a subscription. */
export const PAYLOADS = ['full', 'thin'] as const;
export type Payload = (typeof PAYLOADS)[number];

/** Fields of `data` that contain ids. Receivers of thin payloads fetch the rest. */
const ID = /^(id|created_by|[a-z_]+_id)$/;

/** Returns only the ids of `data`, in their order. */
export function thinData(data: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => ID.test(name)));
}
