import { textWithoutSlash } from '../../slash.errors.js';

/** A parsed command line. */
export interface CommandLine {
  /** Without the slash, exactly as typed. */
  name: string;
  /** Everything after the first space, including further spaces; "" if there is none. */
  text: string;
  rawText: string;
}

/**
 * Parses `/name arguments`. The name ends at the first space. @throws 400 without a leading slash
 */
export function parseCommandLine(rawText: string): CommandLine {
  if (!rawText.startsWith('/')) throw textWithoutSlash();
  const space = rawText.indexOf(' ');
  const end = space === -1 ? rawText.length : space;
  return { name: rawText.slice(1, end), text: rawText.slice(end + 1), rawText };
}
