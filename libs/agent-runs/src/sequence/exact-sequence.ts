import { isInteger, isLosslessNumber, parse } from 'lossless-json';

/**
 * Returns the exact 64-bit `sequence` of a body, because JSON.parse rounds integers beyond 2^53.
 *
 * @param json text of the body, which JSON.parse has accepted
 * @param parsed the sequence as returned by JSON.parse
 * @returns undefined if it is not an integer
 */
export function exactSequence(json: string, parsed: unknown): bigint | undefined {
  if (typeof parsed !== 'number' || !Number.isInteger(parsed)) return undefined;
  if (Number.isSafeInteger(parsed)) return BigInt(parsed);
  const { sequence } = parse(json, undefined, { onDuplicateKey: ({ newValue }) => newValue }) as {
    sequence?: unknown;
  };
  // An integer written with an exponent has no digits to lose.
  return isLosslessNumber(sequence) && isInteger(sequence.value) ? BigInt(sequence.value) : BigInt(parsed);
}
