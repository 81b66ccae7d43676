import { characters } from '@tieline/platform/http';
import { schemaViolation } from '../interactive.errors.js';
import { isObject } from './json-object.js';

/* Limits of blocks that are only displayed. */
const MAX_FIELDS = 10;
const MAX_ELEMENTS = 10;
const MAX_TEXT = 3000;

type Fields = Readonly<Record<string, unknown>>;
type Check = (block: Fields, place: string) => void;

/** Checks per type of block. Clients skip other types, so they are not checked. */
const CHECKS: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  ['header', checkText],
  ['section', checkSection],
  ['context', checkContext],
  ['image', ({ title }, place) => requireShort(title, `${place}.title`)],
]);

/**
 * Checks the limits of one display block: 10 fields, 10 elements, 3,000 characters per text. The
 * structure is not checked.
 * @throws 400 that names the place
 */
export function checkRichLimits(block: unknown, place: string): void {
  if (isObject(block)) CHECKS.get(block.type)?.(block, place);
}

function checkText({ text }: Fields, place: string): void {
  requireShort(text, `${place}.text`);
}

function checkSection(block: Fields, place: string): void {
  checkText(block, place);
  for (const [index, field] of listOf(block.fields, `${place}.fields`, MAX_FIELDS).entries())
    requireShort(field, `${place}.fields[${index}]`);
}

function checkContext({ elements }: Fields, place: string): void {
  for (const [index, element] of listOf(elements, `${place}.elements`, MAX_ELEMENTS).entries())
    requireShort(element, `${place}.elements[${index}]`);
}

function listOf(value: unknown, place: string, max: number): unknown[] {
  if (!Array.isArray(value)) return [];
  if (value.length > max) throw schemaViolation(place, `at most ${max}`);
  return value;
}

/** Accepts a text element or a plain string. */
function requireShort(value: unknown, place: string): void {
  const text = isObject(value) ? value.text : value;
  if (typeof text === 'string' && characters(text) > MAX_TEXT)
    throw schemaViolation(isObject(value) ? `${place}.text` : place, `at most ${MAX_TEXT} characters`);
}
