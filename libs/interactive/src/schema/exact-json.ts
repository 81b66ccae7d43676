import { randomUUID } from 'node:crypto';
import { parse } from 'lossless-json';
import { isObject } from './json-object.js';

type Fields = Readonly<Record<string, unknown>>;

/** A parsed JSON text, and a function that writes it again. */
export interface ExactJson {
  value: Fields;
  write(value: unknown): string;
}

/** A number whose text JavaScript would not reproduce. */
class ExactNumber {
  constructor(readonly text: string) {}
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses a JSON object so that its numbers can be written unchanged. JavaScript would change
 * numbers beyond 2^53 and forms such as `1.0`; only those are not parsed as `number`.
 * @param parsed the same text, already parsed with JSON.parse
 */
export function readExact(text: string, parsed?: Fields): ExactJson {
  if (!hasInexactNumber(text))
    return { value: parsed ?? (JSON.parse(text) as Fields), write: JSON.stringify };
  const value = parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  return { value: value as Fields, write: writeExact };
}

/**
 * Replaces the numbers in a parsed request body by ones that {@link writeExact} writes unchanged.
 */
export function withExactNumbers(parsed: Fields, text: string): Fields {
  return hasInexactNumber(text) ? (numbersOf(parsed, readExact(text).value) as Fields) : parsed;
}

/** Writes JSON with the numbers that {@link readExact} or {@link withExactNumbers} preserved. */
export function writeExact(value: unknown): string {
  // The mark is random, so that no text in the value can be mistaken for a number.
  const mark = randomUUID();
  const marked = JSON.stringify(value, (_, part: unknown) =>
    part instanceof ExactNumber ? mark + part.text : part,
  );
  return marked.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

/** Keeps the values of `parsed`, which may have been cleaned; takes only numbers from `exact`. */
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
