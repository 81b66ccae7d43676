import { parse, stringify } from 'uuid';

/** Length of the part of the token's hash: enough that another token does not fit by chance. */
const HASH_BYTES = 16;
const UUID_BYTES = 16;
const BYTES = 3 * UUID_BYTES + HASH_BYTES;

/** What a ticket says. Its random id is the secret. */
export interface Ticket {
  spaceId: string;
  botId: string;
  ticketId: string;
  /** The start of the hash of the token that the ticket was issued for. */
  tokenHash: Buffer;
}

/** Returns a ticket as a text for a query string. */
export function encodeTicket({ spaceId, botId, ticketId, tokenHash }: Ticket): string {
  const ids = [spaceId, botId, ticketId].map((id) => Buffer.from(parse(id)));
  return Buffer.concat([...ids, tokenHash.subarray(0, HASH_BYTES)]).toString('base64url');
}

/** Returns undefined for a text that is not a ticket. */
export function decodeTicket(text: string): Ticket | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== BYTES || bytes.toString('base64url') !== text) return undefined;
  try {
    const [spaceId, botId, ticketId] = [0, 1, 2].map((at) =>
      stringify(bytes.subarray(at * UUID_BYTES, (at + 1) * UUID_BYTES)),
    ) as [string, string, string];
    return { spaceId, botId, ticketId, tokenHash: bytes.subarray(3 * UUID_BYTES) };
  } catch {
    return undefined;
  }
}

/** Returns whether a ticket was issued for the token with this hash. */
export function isTicketOf({ tokenHash }: Ticket, hash: Buffer): boolean {
  return hash.subarray(0, HASH_BYTES).equals(tokenHash);
}
