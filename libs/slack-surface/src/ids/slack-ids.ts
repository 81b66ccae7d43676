/** First letter of an id in Slack's spelling, by the kind of the object. */
export const ID_PREFIXES = {
  /** A person, or a bot as an author. */
  user: 'U',
  bot: 'B',
  publicChannel: 'C',
  privateChannel: 'G',
  direct: 'D',
  space: 'T',
  app: 'A',
  file: 'F',
  view: 'V',
} as const;

/** A kind of object with ids in Slack's spelling. */
export type IdKind = keyof typeof ID_PREFIXES;

/** RFC 4648, so that a digit is a letter or 2 to 7. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const HEX = '0123456789abcdef';
const PATTERN = /^([A-Z])([A-H][A-Z2-7]{25})$/;

/**
 * Spells a uuid as Slack's clients expect ids: a letter for the kind, then the 128 bits as 26
 * digits of base32, the first of which is `A` to `H`. Hot path: every answer has several ids, and
 * BigInt takes twice as long.
 */
export function slackId(kind: IdKind, uuid: string): string {
  const hex = uuid.replaceAll('-', '');
  let id: string = ID_PREFIXES[kind];
  // The first digit stands for three bits.
  let bits = 2;
  let value = 0;
  for (let at = 0; at < hex.length; at += 1) {
    value = (value << 4) | HEX.indexOf(hex.charAt(at));
    bits += 4;
    if (bits < 5) continue;
    bits -= 5;
    id += DIGITS[value >> bits];
    value &= (1 << bits) - 1;
  }
  return id;
}

/** Returns the uuid of an id of one of these kinds, or undefined if it is not one. */
export function uuidOf(id: string, ...kinds: readonly IdKind[]): string | undefined {
  const [, prefix, digits = ''] = PATTERN.exec(id) ?? [];
  if (!kinds.some((kind) => ID_PREFIXES[kind] === prefix)) return undefined;
  let hex = '';
  let bits = -2;
  let value = 0;
  for (let at = 0; at < digits.length; at += 1) {
    value = (value << 5) | DIGITS.indexOf(digits.charAt(at));
    for (bits += 5; bits >= 4; bits -= 4) hex += HEX[(value >> (bits - 4)) & 15];
  }
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The kinds of conversations. Slack has no ids for threads. */
export const CONVERSATION_KINDS = ['publicChannel', 'privateChannel', 'direct'] as const;

/** Returns the id of a conversation that is not a thread. */
export function conversationId({ id, scope }: { id: string; scope: 'dm' | 'public' | 'private' }): string {
  if (scope === 'dm') return slackId('direct', id);
  return slackId(scope === 'public' ? 'publicChannel' : 'privateChannel', id);
}
