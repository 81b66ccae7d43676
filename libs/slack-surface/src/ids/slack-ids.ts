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
const LENGTH = 26;
const PATTERN = /^([A-Z])([A-H][A-Z2-7]{25})$/;

/**
 * Spells a uuid as Slack's clients expect ids: a letter for the kind, then the 128 bits as 26
 * digits of base32, the first of which is `A` to `H`.
 */
export function slackId(kind: IdKind, uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let digits = '';
  for (let place = 0; place < LENGTH; place += 1) {
    digits = (DIGITS[Number(rest & 31n)] as string) + digits;
    rest >>= 5n;
  }
  return ID_PREFIXES[kind] + digits;
}

/** Returns the uuid of an id of one of these kinds, or undefined if it is not one. */
export function uuidOf(id: string, ...kinds: readonly IdKind[]): string | undefined {
  const [, prefix, digits = ''] = PATTERN.exec(id) ?? [];
  if (!kinds.some((kind) => ID_PREFIXES[kind] === prefix)) return undefined;
  let value = 0n;
  for (const digit of digits) value = (value << 5n) | BigInt(DIGITS.indexOf(digit));
  const hex = value.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The kinds of conversations. Slack has no ids for threads. */
export const CONVERSATION_KINDS = ['publicChannel', 'privateChannel', 'direct'] as const;

/** Returns the id of a conversation that is not a thread. */
export function conversationId({ id, scope }: { id: string; scope: 'dm' | 'public' | 'private' }): string {
  if (scope === 'dm') return slackId('direct', id);
  return slackId(scope === 'public' ? 'publicChannel' : 'privateChannel', id);
}
