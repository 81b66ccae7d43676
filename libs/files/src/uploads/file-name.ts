import { characters } from '@tieline/platform/http';

/** Longest name of a file, in characters. */
export const MAX_FILE_NAME = 255;
const CONTROL = /\p{Cc}/u;

/** Returns whether a file may have this name, which the caller requires. */
export function isFileName(name: unknown): name is string {
  return typeof name === 'string' && characters(name) <= MAX_FILE_NAME && !CONTROL.test(name);
}
