import { inField, parseJsonObject } from '@tieline/platform/http';
import {
  metadataKindReserved,
  metadataNotObject,
  metadataNotString,
  metadataTooLarge,
} from '../interactive.errors.js';
import { checkInteractiveSchema } from './interactive-schema.js';

/** In UTF-8 bytes, as sent. */
const MAX_BYTES = 32 * 1024;

/**
 * Kinds of metadata that only the product may write: of an agent run's placeholder, and of the card
 * of an approval.
 */
const RESERVED_KINDS: readonly unknown[] = ['agent_run', 'approval'];

/** A message's `metadata_json` that passed every check that needs no database. */
export interface Metadata {
  /** The text as sent. */
  json: string;
  value: Readonly<Record<string, unknown>>;
  /** Whether it has interactive blocks, which must be signed and need a reachable bot. */
  isInteractive: boolean;
}

/**
 * Parses a bot's `metadata_json`: a string with the JSON text of an object, up to 32 KiB. Blocks
 * must respect their limits, and interactive blocks their schema. Absent, null and "" mean none.
 * @param field path of the field in the request body
 * @throws 400 that names the place and the broken rule, also for an object instead of a string
 */
export function parseMetadata(given: unknown, field = 'metadata_json'): Metadata | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  return inField(field, () => readMetadata(given));
}

function readMetadata(given: unknown): Metadata {
  if (typeof given !== 'string') throw metadataNotString();
  if (Buffer.byteLength(given) > MAX_BYTES) throw metadataTooLarge();
  const value = parseObject(given);
  if (RESERVED_KINDS.includes(value.kind)) throw metadataKindReserved(String(value.kind));
  return { json: given, value, isInteractive: checkInteractiveSchema(value) };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return parseJsonObject(text);
  } catch {
    throw metadataNotObject();
  }
}
