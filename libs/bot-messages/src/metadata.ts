import { parseJsonObject } from '@tieline/platform/http';
import { blocksMalformed, metadataNoObject, metadataTooLarge, mustBeText, tooManyBlocks, tooManyInteractiveBlocks } from './bot-messages.errors.js';

/** Contract, Limits: UTF-8 bytes as sent. */
const MAX_BYTES = 32 * 1024;
const MAX_BLOCKS = 50;
const MAX_INTERACTIVE_BLOCKS = 5;

/** A message's `metadata_json` that keeps the general rules. */
export interface Metadata {
  /** The text as it was sent. */
  json: string;
  value: Readonly<Record<string, unknown>>;
  /** Whether it has blocks of type `actions`: somebody can click, so that the bot must be reachable. */
  isInteractive: boolean;
}

/**
 * Reads `metadata_json` (decisions, section 3): a string that holds the JSON text of an object, up to 32 KiB, up to 50
 * blocks of which 5 are interactive. Absent, null and "" mean none.
 * @throws 400 that names the broken rule; also for an object in place of a string
 */
export function parseMetadata(given: unknown): Metadata | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given !== 'string') throw mustBeText('metadata_json');
  if (Buffer.byteLength(given) > MAX_BYTES) throw metadataTooLarge();
  const value = parseObject(given);
  return { json: given, value, isInteractive: hasInteractiveBlocks(value.blocks) };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return parseJsonObject(text);
  } catch {
    throw metadataNoObject();
  }
}

/** Judges the number of blocks. Unknown block types are nobody's business here: clients skip them. */
function hasInteractiveBlocks(blocks: unknown): boolean {
  if (blocks === undefined || blocks === null) return false;
  if (!Array.isArray(blocks)) throw blocksMalformed();
  if (blocks.length > MAX_BLOCKS) throw tooManyBlocks();
  const interactive = blocks.filter((block: unknown) => (block as { type?: unknown } | null)?.type === 'actions').length;
  if (interactive > MAX_INTERACTIVE_BLOCKS) throw tooManyInteractiveBlocks();
  return interactive > 0;
}
