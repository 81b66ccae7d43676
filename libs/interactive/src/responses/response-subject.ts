import { decodeId, encodeIds, UUID_BYTES } from '../triggers/encoded-ids.js';

/**
 * Kinds of events that can be answered late; `options` is a request for suggestions, `choice` a
 * submission where the person chose the conversation. The index of a kind is part of tokens, so the
 * order must not change.
 */
const KINDS = ['click', 'submit', 'command', 'options', 'choice'] as const;
export type ResponseKind = (typeof KINDS)[number];

/** The event that a response token answers. */
export interface ResponseSubject {
  kind: ResponseKind;
  /** Counts the uses of the token; for a command the trigger's id. */
  id: string;
  botId: string;
  /** The person who acted. */
  userId: string;
  conversationId: string;
  /** Root message, if the event happened in a thread. */
  threadId: string | null;
  /** The original message. If null, it is the first message that an answer posts. */
  messageId: string | null;
  /** Unix milliseconds. */
  expiresAt: number;
}

const EXPIRY_BYTES = 6;
const IDS_AT = 1 + EXPIRY_BYTES;

/** Length of an encoded subject. */
export const SUBJECT_BYTES = IDS_AT + 6 * UUID_BYTES;

/** Encodes the kind, the expiry and six ids. A missing id is 16 zero bytes. */
export function encodeSubject(subject: ResponseSubject): Buffer {
  const { id, botId, userId, conversationId, threadId, messageId } = subject;
  const head = Buffer.alloc(IDS_AT);
  head.writeUInt8(KINDS.indexOf(subject.kind));
  head.writeUIntBE(subject.expiresAt, 1, EXPIRY_BYTES);
  return Buffer.concat([head, encodeIds([id, botId, userId, conversationId, threadId, messageId])]);
}

/**
 * Decodes the bytes of {@link encodeSubject}; undefined for a kind that only a later release knows.
 */
export function decodeSubject(bytes: Buffer): ResponseSubject | undefined {
  const kind = KINDS[bytes.readUInt8()];
  if (!kind) return undefined;
  const idAt = (n: number): string | null => decodeId(bytes, IDS_AT, n);
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
