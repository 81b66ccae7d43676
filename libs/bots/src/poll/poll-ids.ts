/**
 * Ids of poll records are nanoseconds since 1970 (see the migration). They exceed safe integers, so
 * they are strings.
 */
const PER_MS = 1_000_000n;
/** The largest bigint of Postgres. */
const MAX_ID = 9_223_372_036_854_775_807n;

/** Returns the smallest id that a record of this moment can have. */
export function idFloor(at: Date): string {
  return String(BigInt(Math.max(0, at.getTime())) * PER_MS);
}

/** Returns when a record was queued. */
export function queuedAt(id: string): Date {
  return new Date(Number(BigInt(id) / PER_MS));
}

/**
 * Returns the id after which to read: the cursor, or `oldest` if the cursor is older. Any number is
 * a valid cursor (docs/polling.md#cursors).
 */
export function readAfter(cursor: string, oldest: string): string {
  const [from, floor] = [BigInt(cursor === '' ? '0' : cursor), BigInt(oldest)];
  const after = from > floor ? from : floor;
  return String(after > MAX_ID ? MAX_ID : after);
}
