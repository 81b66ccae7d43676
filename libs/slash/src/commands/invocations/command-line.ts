import { textWithoutSlash } from '../../slash.errors.js';

/** What a person typed, taken apart. */
export interface CommandLine {
  /** Without the slash, exactly as typed. */
  name: string;
  /** Everything after the first space, further spaces included; "" when there is none. */
  text: string;
  rawText: string;
}

/**
 * Reads `/name arguments`: the name ends at the first space (decisions, section 5). @throws 400
 * without a leading slash
 */
export function parseCommandLine(rawText: string): CommandLine {
  if (!rawText.startsWith('/')) throw textWithoutSlash();
  const space = rawText.indexOf(' ');
  const end = space === -1 ? rawText.length : space;
  return { name: rawText.slice(1, end), text: rawText.slice(end + 1), rawText };
}
