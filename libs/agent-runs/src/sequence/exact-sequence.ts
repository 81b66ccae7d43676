import { isInteger, isLosslessNumber, parse } from 'lossless-json';

/**
 * The `sequence` of a body, to the last of its 64 bits: JSON.parse rounds integers beyond 2^53.
 *
 * @param json text of the body, which JSON.parse has read before
 * @param parsed what JSON.parse made of the sequence
 * @returns undefined when it is not an integer
 */
export function exactSequence(json: string, parsed: unknown): bigint | undefined {
  if (typeof parsed !== 'number' || !Number.isInteger(parsed)) return undefined;
  if (Number.isSafeInteger(parsed)) return BigInt(parsed);
  const { sequence } = parse(json, undefined, { onDuplicateKey: ({ newValue }) => newValue }) as {
    sequence?: unknown;
  };
  // An integer that is written with an exponent has no digits to lose.
  return isLosslessNumber(sequence) && isInteger(sequence.value) ? BigInt(sequence.value) : BigInt(parsed);
}
