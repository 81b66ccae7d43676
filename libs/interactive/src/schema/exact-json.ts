import { randomUUID } from 'node:crypto';
import { parse } from 'lossless-json';
import { isObject } from './json-object.js';

type Fields = Readonly<Record<string, unknown>>;

/** A JSON text as a value, and how to write it again. */
export interface ExactJson {
  value: Fields;
  write(value: unknown): string;
}

/** A number that JavaScript would write otherwise. */
class ExactNumber {
  constructor(readonly text: string) {}
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Reads the text of a JSON object so that its numbers can be written as they were: beyond 2^53, and
 * in forms such as `1.0`, JavaScript would write others. Only such numbers are no `number`.
 * @param parsed the value that was read from the text before, without such care
 */
export function readExact(text: string, parsed?: Fields): ExactJson {
  if (!hasInexactNumber(text))
    return { value: parsed ?? (JSON.parse(text) as Fields), write: JSON.stringify };
  const value = parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  return { value: value as Fields, write: writeExact };
}

/**
 * The value that was read from the text of a request's body, with its numbers as {@link writeExact}
 * writes them.
 */
export function withExactNumbers(parsed: Fields, text: string): Fields {
  return hasInexactNumber(text) ? (numbersOf(parsed, readExact(text).value) as Fields) : parsed;
}

/** JSON with the numbers that {@link readExact} or {@link withExactNumbers} has kept. */
export function writeExact(value: unknown): string {
  // Nobody can guess it, so no text of others is taken for a number.
  const mark = randomUUID();
  const marked = JSON.stringify(value, (_, part: unknown) =>
    part instanceof ExactNumber ? mark + part.text : part,
  );
  return marked.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

/** What was cleaned as it was parsed stays so: only numbers come from `exact`. */
function numbersOf(parsed: unknown, exact: unknown): unknown {
  if (typeof parsed === 'number') return exact instanceof ExactNumber ? exact : parsed;
  if (Array.isArray(parsed))
    return Array.isArray(exact) ? parsed.map((part, n) => numbersOf(part, exact[n])) : parsed;
  if (!isObject(parsed) || !isObject(exact)) return parsed;
  return Object.fromEntries(
    Object.entries(parsed).map(([key, part]) => [
      key,
      Object.hasOwn(exact, key) ? numbersOf(part, exact[key]) : part,
    ]),
  );
}

function hasInexactNumber(text: string): boolean {
  for (const [token] of text.matchAll(TOKEN)) if (!token.startsWith('"') && !isExact(token)) return true;
  return false;
}

function parseNumber(text: string): unknown {
  return isExact(text) ? Number(text) : new ExactNumber(text);
}

function isExact(number: string): boolean {
  return String(Number(number)) === number;
}
