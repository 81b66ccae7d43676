import { createHash } from 'node:crypto';
import { canonicalJson } from '@tieline/idempotency';

/** Maximum size of arguments as canonical JSON in UTF-8. */
const MAX_ARGUMENTS_BYTES = 16_384;
/** Maximum number of objects and lists inside each other, including the arguments themselves. */
const MAX_ARGUMENTS_DEPTH = 32;
/** Characters that change the order in which a person reads the text behind them. */
const OVERRIDES = /[\u202A-\u202E\u2066-\u2069]/u;

/** Arguments of a tool call, and their hash. */
export interface ToolArguments {
  /** Canonical JSON (RFC 8785). */
  json: string;
  /** SHA-256 of the UTF-8 bytes of `json`, in hexadecimal. */
  sha256: string;
}

/** The hash of `{}`, which counts as the hash of absent arguments in rules. */
export const NO_ARGUMENTS_SHA256 = sha256('{}');

/**
 * Returns what is wrong with arguments, or undefined if they are valid:
 * docs/approvals.md#arguments. Numbers that JSON cannot express are infinite once parsed.
 */
export function argumentsProblem(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'must be an object';
  return (
    partProblem(given, 1) ??
    (Buffer.byteLength(canonicalJson(given)) > MAX_ARGUMENTS_BYTES
      ? 'too large (max 16 KiB as canonical JSON)'
      : undefined)
  );
}

/** Returns valid arguments as canonical JSON, with their hash. */
export function toolArguments(given: object): ToolArguments {
  const json = canonicalJson(given);
  return { json, sha256: sha256(json) };
}

function partProblem(part: unknown, depth: number): string | undefined {
  if (typeof part === 'string') return textProblem(part);
  if (typeof part === 'number' && !Number.isFinite(part)) return 'must not contain numbers beyond 1.8e308';
  if (typeof part !== 'object' || part === null) return undefined;
  if (depth > MAX_ARGUMENTS_DEPTH) return `must not be nested more than ${MAX_ARGUMENTS_DEPTH} deep`;
  for (const [name, value] of Object.entries(part)) {
    const problem = textProblem(name) ?? partProblem(value, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function textProblem(text: string): string | undefined {
  return OVERRIDES.test(text) ? 'must not contain bidirectional overrides' : undefined;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
