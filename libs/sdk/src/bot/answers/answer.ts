/** A form as described in docs/interactive.md and built by `modal()`. */
export type Modal = object;

/** A suggestion shown while the person types. */
export interface Choice {
  name: string;
  value: string;
}

/**
 * An answer to an interaction or command. Exactly one of the fields except `metadata_json` is set.
 */
export interface Answer {
  update_message?: MessageParts;
  send_message?: MessageParts;
  delete_message?: true;
  ephemeral_text?: string;
  /** Only together with `ephemeral_text`. */
  metadata_json?: string;
  open_modal?: Modal;
  errors?: Readonly<Record<string, string>>;
  update_modal?: Modal;
  push_modal?: Modal;
  choices?: readonly Choice[];
  noop?: true;
}

/** A message's text and metadata in the format of the API. */
export interface MessageParts {
  text?: string;
  metadata_json?: string;
}

/** The parts of a message besides its text. */
interface Rich {
  /** `[]` removes all blocks. */
  blocks?: readonly object[];
  /** Data that the bot stores with the message. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Used unchanged instead of blocks and metadata. */
  metadata_json?: string;
}

/** A message: plain text, or an object with blocks. */
export type Message = string | (Rich & { text?: string });

/** An ephemeral message, which requires a text. */
export type EphemeralMessage = string | (Rich & { text: string });

/**
 * Converts a message to the format of the API. Blocks and metadata are encoded into
 * `metadata_json`.
 */
export function partsOf(message: Message): MessageParts {
  if (typeof message === 'string') return { text: message };
  const { text, blocks, metadata, metadata_json: json } = message;
  return {
    ...(text !== undefined && { text }),
    ...metadataOf(json, blocks, metadata),
  };
}

/** Converts an ephemeral message to an answer. */
export function ephemeralOf(message: EphemeralMessage): Answer {
  const { text: ephemeral_text, ...metadata } = partsOf(message);
  return { ephemeral_text, ...metadata };
}

function metadataOf(
  json: string | undefined,
  blocks: readonly object[] | undefined,
  metadata: Readonly<Record<string, unknown>> | undefined,
): { metadata_json?: string } {
  if (json !== undefined) return { metadata_json: json };
  if (!blocks && !metadata) return {};
  if (blocks?.length === 0 && !metadata) return { metadata_json: '' };
  return { metadata_json: JSON.stringify({ version: 1, ...metadata, ...(blocks && { blocks }) }) };
}

/** Converts an answer to the format of a command's callback or acknowledgement. */
export function asCommandAnswer(answer: Answer): Readonly<Record<string, unknown>> {
  const { ephemeral_text: text, metadata_json } = answer;
  if (text !== undefined) return { text, ...(metadata_json !== undefined && { metadata_json }) };
  if (answer.send_message) return { response_type: 'in_channel', ...answer.send_message };
  return answer.open_modal ? { open_modal: answer.open_modal } : {};
}
