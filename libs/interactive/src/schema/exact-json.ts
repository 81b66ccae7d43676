import { LosslessNumber, parse, stringify } from 'lossless-json';

type Fields = Readonly<Record<string, unknown>>;

/** A JSON text as a value, and how to write it again. */
export interface ExactJson {
  value: Fields;
  write(value: unknown): string;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Reads the text of a JSON object so that its numbers can be written as they were: beyond 2^53, and in forms such as `1.0`,
 * JavaScript would write others. Only such numbers are no `number`.
 * @param parsed the value that was read from the text before, without such care
 */
export function readExact(text: string, parsed?: Fields): ExactJson {
  if (!hasInexactNumber(text))
    return { value: parsed ?? (JSON.parse(text) as Fields), write: JSON.stringify };
  const value = parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  return { value: value as Fields, write: (written) => stringify(written) ?? '' };
}

function hasInexactNumber(text: string): boolean {
  for (const [token] of text.matchAll(TOKEN)) if (!token.startsWith('"') && !isExact(token)) return true;
  return false;
}

function parseNumber(text: string): unknown {
  return isExact(text) ? Number(text) : new LosslessNumber(text);
}

function isExact(number: string): boolean {
  return String(Number(number)) === number;
}
