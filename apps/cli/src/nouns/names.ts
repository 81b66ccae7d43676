import type { Client } from '@tieline/sdk';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';

/** Something with a name that people say and an id that the API wants. */
export interface Named {
  readonly id: string;
  readonly name?: string | null;
  readonly display_name?: string;
}

/** What people call it. */
export const nameOf = (entry: Named): string => entry.name ?? entry.display_name ?? '';

/**
 * The entry that somebody means: by its id, its name, or its name in other letters (case, a leading
 * # / @).
 * @throws Failure when there is none, or more than one
 */
export function named<T extends Named>(noun: string, entries: readonly T[], wanted: string): T {
  const bare = wanted.replace(/^[#@/]/, '');
  const exact = entries.filter(
    (entry) => entry.id === wanted || nameOf(entry) === wanted || nameOf(entry) === bare,
  );
  const similar = entries.filter((entry) => nameOf(entry).toLowerCase() === bare.toLowerCase());
  const found = exact.length > 0 ? exact : similar;
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new Failure(
      `${found.length} ${noun}s are called "${wanted}"`,
      EXIT.notFound,
      `say the id of one: ${found.map(({ id }) => id).join(', ')}`,
    );
  const names = entries.map(nameOf).filter(Boolean);
  const known =
    names.length > 0
      ? `there are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`
      : `there is no ${noun} yet`;
  throw new Failure(`there is no ${noun} "${wanted}"`, EXIT.notFound, known);
}

/** Every entry of a list that comes in pages. */
export async function everyEntry<T>(
  client: Client,
  path: string,
  query?: Record<string, unknown>,
): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of client.list<T>(path, { query })) entries.push(entry);
  return entries;
}

/** A list in an argument: `a,b` or given several times. */
export const listed = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean),
];
