/** Never logged, at any depth: credentials, and texts that people wrote. */
const SECRET = /token|secret|password|authorization|cookie|api_?key|private_?key|credential/i;
const WRITTEN = new Set([
  'text',
  'content',
  'body',
  'payload',
  'payload_json',
  'metadata_json',
  'public_text',
  'values',
  'data',
  'raw_text',
  'parameters',
]);

const HIDDEN = '[hidden]';
/** SQLSTATE class 22. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;
const MAX_DEPTH = 6;
const MAX_ITEMS = 50;

/**
 * Returns a copy for the log without secrets and message texts. Errors become type, message, code
 * and stack; values of a row in messages of the database are left out.
 */
export function scrub(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return describeError(value, depth);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => scrub(item, depth + 1));
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  const copy: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value))
    copy[key] = isHidden(key, part) ? HIDDEN : scrub(part, depth + 1);
  return copy;
}

function isHidden(key: string, part: unknown): boolean {
  // Counts and flags (`token_count`, `has_text`) are harmless.
  if (part === null || part === undefined || typeof part === 'number' || typeof part === 'boolean')
    return false;
  return SECRET.test(key) || WRITTEN.has(key);
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  // Only class and code: the database quotes the rejected value, which comes from the caller.
  if (typeof code === 'string' && DATA_EXCEPTION.test(code)) return { type: error.name, code };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(cause === undefined ? {} : { cause: scrub(cause, depth + 1) }),
  };
}
