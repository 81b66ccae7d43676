import { valuesMalformed, valuesTooLarge } from '../interactive.errors.js';
import { isObject } from '../schema/json-object.js';

const MAX_BYTES = 64 * 1024;

/**
 * Returns the values of a submitted modal; absent and null become `{}`. The values themselves are
 * not checked.
 * @throws 400 not an object, or more than 64 KiB of JSON
 */
export function requireValues(given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {};
  if (!isObject(given)) throw valuesMalformed();
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_BYTES) throw valuesTooLarge();
  return given;
}
