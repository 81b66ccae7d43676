import { inField, parseJsonObject } from '@tieline/platform/http';
import {
  metadataKindReserved,
  metadataNotObject,
  metadataNotString,
  metadataTooLarge,
} from '../interactive.errors.js';
import { checkInteractiveSchema } from './interactive-schema.js';

/** Contract, Limits: UTF-8 bytes as sent. */
const MAX_BYTES = 32 * 1024;

/** What tells the envelope of a run's placeholder: only the product writes it. */
const RESERVED_KIND = 'agent_run';

/** A message's `metadata_json` that keeps every rule which needs no database. */
export interface Metadata {
  /** The text as it was sent. */
  json: string;
  value: Readonly<Record<string, unknown>>;
  /**
   * Whether it has blocks of type `actions`: they must be signed, and the bot must be reachable.
   */
  isInteractive: boolean;
}

/**
 * Reads `metadata_json` of a bot (contract, "Interactive schema"; decisions, sections 3 and 5): a
 * string that holds the JSON text of an object, up to 32 KiB; blocks keep the contract's limits,
 * interactive ones their schema. Absent, null and "" mean none.
 * @param field where it stands in the request's body
 * @throws 400 that names the broken rule and its place; also for an object in place of a string
 */
export function parseMetadata(given: unknown, field = 'metadata_json'): Metadata | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  return inField(field, () => readMetadata(given));
}

function readMetadata(given: unknown): Metadata {
  if (typeof given !== 'string') throw metadataNotString();
  if (Buffer.byteLength(given) > MAX_BYTES) throw metadataTooLarge();
  const value = parseObject(given);
  if (value.kind === RESERVED_KIND) throw metadataKindReserved();
  return { json: given, value, isInteractive: checkInteractiveSchema(value) };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return parseJsonObject(text);
  } catch {
    throw metadataNotObject();
  }
}
