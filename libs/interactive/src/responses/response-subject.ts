/**
 * What a late answer answers: `options` is asked while somebody types. The number of a kind is part
 * of tokens.
 */
const KINDS = ['click', 'submit', 'command', 'options'] as const;
export type ResponseKind = (typeof KINDS)[number];

/** What a response token allows to answer (decisions, section 11.4). */
export interface ResponseSubject {
  kind: ResponseKind;
  /** Counts its uses; of a command the trigger's. */
  id: string;
  botId: string;
  /** Who acted. */
  userId: string;
  conversationId: string;
  /** Root message, in a thread. */
  threadId: string | null;
  /** The original; of a command null, for that is the first message which it posts. */
  messageId: string | null;
  /** Unix milliseconds. */
  expiresAt: number;
}

const UUID_BYTES = 16;
const EXPIRY_BYTES = 6;
const IDS_AT = 1 + EXPIRY_BYTES;
const NO_ID = Buffer.alloc(UUID_BYTES);

/** Of an encoded subject. */
export const SUBJECT_BYTES = IDS_AT + 6 * UUID_BYTES;

/** Kind, expiry and six ids, 16 zero bytes where there is none. */
export function encodeSubject(subject: ResponseSubject): Buffer {
  const { id, botId, userId, conversationId, threadId, messageId } = subject;
  const head = Buffer.alloc(IDS_AT);
  head.writeUInt8(KINDS.indexOf(subject.kind));
  head.writeUIntBE(subject.expiresAt, 1, EXPIRY_BYTES);
  return Buffer.concat([head, ...[id, botId, userId, conversationId, threadId, messageId].map(bytesOf)]);
}

/** Of bytes that {@link encodeSubject} made; undefined for a kind that a later program made. */
export function decodeSubject(bytes: Buffer): ResponseSubject | undefined {
  const kind = KINDS[bytes.readUInt8()];
  if (!kind) return undefined;
  const idAt = (n: number): string | null => {
    const start = IDS_AT + n * UUID_BYTES;
    return uuidOf(bytes.subarray(start, start + UUID_BYTES));
  };
  return {
    kind,
    expiresAt: bytes.readUIntBE(1, EXPIRY_BYTES),
    id: idAt(0) ?? '',
    botId: idAt(1) ?? '',
    userId: idAt(2) ?? '',
    conversationId: idAt(3) ?? '',
    threadId: idAt(4),
    messageId: idAt(5),
  };
}

function bytesOf(uuid: string | null): Buffer {
  return uuid === null ? NO_ID : Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string | null {
  if (bytes.equals(NO_ID)) return null;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
