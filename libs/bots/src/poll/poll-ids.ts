/** Ids of poll records are nanoseconds since 1970 (see the migration), too large for a number: they are handled as text. */
const PER_MS = 1_000_000n;
/** The greatest id that there can be. */
const MAX_ID = 9_223_372_036_854_775_807n;

/** The smallest id of a moment. */
export function idFloor(at: Date): string {
  return String(BigInt(Math.max(0, at.getTime())) * PER_MS);
}

/** When a record was queued. */
export function queuedAt(id: string): Date {
  return new Date(Number(BigInt(id) / PER_MS));
}

/** From where to read on: after the cursor, or after `oldest` where the cursor is older. Any number is a cursor. */
export function readAfter(cursor: string, oldest: string): string {
  const [from, floor] = [BigInt(cursor === '' ? '0' : cursor), BigInt(oldest)];
  const after = from > floor ? from : floor;
  return String(after > MAX_ID ? MAX_ID : after);
}
