/** A form, as docs/interactive.md describes it and `modal()` makes it. */
export type Modal = object;

/** What is suggested to somebody who types. */
export interface Choice {
  name: string;
  value: string;
}

/**
 * What the contract calls a response type (contract, "Interactive"; decisions, sections 11.4 and
 * 11.6): exactly one of them.
 */
export interface Answer {
  update_message?: MessageParts;
  send_message?: MessageParts;
  delete_message?: true;
  ephemeral_text?: string;
  /** Beside `ephemeral_text` alone. */
  metadata_json?: string;
  open_modal?: Modal;
  errors?: Readonly<Record<string, string>>;
  update_modal?: Modal;
  push_modal?: Modal;
  choices?: readonly Choice[];
  noop?: true;
}

/** A message's text and metadata, as they travel. */
export interface MessageParts {
  text?: string;
  metadata_json?: string;
}

/** What a message has beside its words. */
interface Rich {
  /** `[]` removes them all. */
  blocks?: readonly object[];
  /** Beside the blocks: whatever the bot wants to find in the message again. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Instead of blocks and metadata, as it stands. */
  metadata_json?: string;
}

/** A message as a handler gives it: words alone, or with blocks. */
export type Message = string | (Rich & { text?: string });

/** One for one person's eyes: it has words. */
export type EphemeralMessage = string | (Rich & { text: string });

/** `metadata_json` is a text of JSON: encoded here, once. */
export function partsOf(message: Message): MessageParts {
  if (typeof message === 'string') return { text: message };
  const { text, blocks, metadata, metadata_json: json } = message;
  return {
    ...(text !== undefined && { text }),
    ...metadataOf(json, blocks, metadata),
  };
}

/** The same of what one person alone is shown. */
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

/**
 * What a command's callback, or its acknowledgement, answers (contract, "Slash invocation
 * delivery").
 */
export function asCommandAnswer(answer: Answer): Readonly<Record<string, unknown>> {
  const { ephemeral_text: text, metadata_json } = answer;
  if (text !== undefined) return { text, ...(metadata_json !== undefined && { metadata_json }) };
  if (answer.send_message) return { response_type: 'in_channel', ...answer.send_message };
  return answer.open_modal ? { open_modal: answer.open_modal } : {};
}
