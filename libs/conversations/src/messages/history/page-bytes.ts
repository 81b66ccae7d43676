import type { MessageView } from '../../events/shown-message.js';

/** Maximum size of a history page, in bytes of the response. */
export const PAGE_BYTES = 1_048_576;
/** Size of the response without its messages. */
const ENVELOPE_BYTES = 100;
/** Maximum size of a character in JSON (`\\u0001`). */
const BYTES_PER_CHARACTER = 6;
const BYTES_PER_REACTION = 50;
const BYTES_PER_ATTACHMENT = 4000;
const BYTES_OF_THE_REST = 1500;

/** Messages of a page in order. The first `below` ones precede the cursor. */
interface Page {
  readonly messages: readonly MessageView[];
  readonly below: number;
}

/**
 * Returns the messages of a page that fit into {@link PAGE_BYTES}: the ones nearest to the cursor,
 * taken from both sides in turn, without gaps, and at least one.
 * @returns the range of messages, `to` exclusive
 */
export function withinPage({ messages, below }: Page): { from: number; to: number } {
  const all = { from: 0, to: messages.length };
  if (messages.length <= 1 || sum(messages.map(maxBytesOf)) <= PAGE_BYTES - ENVELOPE_BYTES) return all;
  const sizes = messages.map((message) => Buffer.byteLength(JSON.stringify(message)) + 1);
  return expandRange(sizes, below);
}

function expandRange(sizes: readonly number[], boundary: number): { from: number; to: number } {
  let left = PAGE_BYTES - ENVELOPE_BYTES;
  let [from, to] = [boundary, boundary];
  let [isUpOpen, isDownOpen] = [true, true];
  const takes = (index: number): boolean => {
    const size = sizes[index];
    if (size === undefined || (size > left && to > from)) return false;
    left -= size;
    return true;
  };
  while (isUpOpen || isDownOpen) {
    if (isUpOpen && (isUpOpen = takes(to))) to += 1;
    if (isDownOpen && (isDownOpen = takes(from - 1))) from -= 1;
  }
  return { from, to };
}

/** Returns an upper bound for the size of a message, without serializing it. */
function maxBytesOf({ text, metadata_json: metadata = '', ...rest }: MessageView): number {
  const characters =
    text.length + metadata.length + (rest.display_avatar_url?.length ?? 0) + (rest.permalink?.length ?? 0);
  const reactions = sum(rest.reactions.map(({ user_ids: ids }) => ids.length + 2));
  return (
    characters * BYTES_PER_CHARACTER +
    (reactions + (rest.mentions?.length ?? 0)) * BYTES_PER_REACTION +
    rest.attachments.length * BYTES_PER_ATTACHMENT +
    // Pages with blocks are measured.
    (rest.app_blocks === undefined ? 0 : PAGE_BYTES) +
    BYTES_OF_THE_REST
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
