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
const DIGITS = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 'latin1');
const HEX = Buffer.from('0123456789abcdef', 'latin1');
const PATTERN = /^[A-Z][A-H][A-Z2-7]{25}$/;
const HYPHEN = '-'.charCodeAt(0);
/** Positions of the hyphens in a uuid. */
const HYPHENS = [8, 13, 18, 23];

/** The value of each digit, by its code. */
function valuesOf(digits: Buffer): Uint8Array {
  const values = new Uint8Array(256);
  for (const [value, code] of digits.entries()) values[code] = value;
  return values;
}
const VALUES = valuesOf(DIGITS);
const HEX_VALUES = valuesOf(HEX);

// Hot path: every call has several ids, and a text that grows letter by letter is as many texts.

/**
 * Spells a uuid as Slack's clients expect ids: a letter for the kind, then the 128 bits as 26
 * digits of base32, the first of which is `A` to `H`.
 */
export function slackId(kind: IdKind, uuid: string): string {
  const id = Buffer.allocUnsafe(27);
  let length = id.write(ID_PREFIXES[kind], 'latin1');
  // The first digit stands for three bits.
  let bits = 2;
  let value = 0;
  for (let at = 0; at < uuid.length; at += 1) {
    const code = uuid.charCodeAt(at);
    if (code === HYPHEN) continue;
    value = (value << 4) | (HEX_VALUES[code] as number);
    bits += 4;
    if (bits < 5) continue;
    bits -= 5;
    id[length] = DIGITS[value >> bits] as number;
    length += 1;
    value &= (1 << bits) - 1;
  }
  return id.toString('latin1');
}

/** Returns the uuid of an id of one of these kinds, or undefined if it is not one. */
export function uuidOf(id: string, ...kinds: readonly IdKind[]): string | undefined {
  if (!PATTERN.test(id) || !kinds.some((kind) => ID_PREFIXES[kind] === id[0])) return undefined;
  const uuid = Buffer.allocUnsafe(36);
  let length = 0;
  let bits = -2;
  let value = 0;
  for (let at = 1; at < id.length; at += 1) {
    value = (value << 5) | (VALUES[id.charCodeAt(at)] as number);
    for (bits += 5; bits >= 4; bits -= 4) {
      if (HYPHENS.includes(length)) uuid[length++] = HYPHEN;
      uuid[length++] = HEX[(value >> (bits - 4)) & 15] as number;
    }
  }
  return uuid.toString('latin1');
}

/** The kinds of conversations. Slack has no ids for threads. */
export const CONVERSATION_KINDS = ['publicChannel', 'privateChannel', 'direct'] as const;

/** Returns the id of a conversation that is not a thread. */
export function conversationId({ id, scope }: { id: string; scope: 'dm' | 'public' | 'private' }): string {
  if (scope === 'dm') return slackId('direct', id);
  return slackId(scope === 'public' ? 'publicChannel' : 'privateChannel', id);
}
