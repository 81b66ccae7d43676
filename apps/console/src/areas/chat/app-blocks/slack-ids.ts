/** RFC 4648. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ID = /^[A-Z]([A-H][A-Z2-7]{25})$/;
const PERSON = /<@([UW][A-H][A-Z2-7]{25})(?:\|[^>\n]*)?>/g;
const CHANNEL = /<#([CGD][A-H][A-Z2-7]{25})(?:\|[^>\n]*)?>/g;

/** Spells a uuid as ids in blocks of Slack apps: a letter for the kind and base32 digits. */
export function slackId(letter: string, uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let digits = '';
  for (let place = 0; place < 26; place += 1) {
    digits = `${DIGITS[Number(rest & 31n)]}${digits}`;
    rest >>= 5n;
  }
  return letter + digits;
}

/** Returns the uuid of an id in Slack's spelling, or undefined if it is not one. */
export function uuidOf(id: string): string | undefined {
  const digits = ID.exec(id)?.[1];
  if (digits === undefined) return undefined;
  let value = 0n;
  for (const digit of digits) value = (value << 5n) | BigInt(DIGITS.indexOf(digit));
  const hex = value.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Returns the id of a conversation in Slack's spelling. */
export function conversationId(one: { id: string; is_direct: boolean; is_public: boolean }): string {
  return slackId(one.is_direct ? 'D' : one.is_public ? 'C' : 'G', one.id);
}

/**
 * Replaces mentions in Slack's markup: of people by Tieline's mentions, of channels by their names.
 *
 * @param channelName returns the name for the uuid of a channel, if the person can see it
 */
export function withOwnMentions(text: string, channelName: (id: string) => string | undefined): string {
  return text
    .replaceAll(PERSON, (_whole, id: string) => `<@${uuidOf(id)}>`)
    .replaceAll(CHANNEL, (_whole, id: string) => `#${channelName(uuidOf(id) ?? '') ?? '…'}`);
}
