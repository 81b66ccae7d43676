import type { Client } from '@tieline/sdk';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';

/** A resource with a name for people and an id for the API. */
export interface Named {
  readonly id: string;
  readonly name?: string | null;
  readonly display_name?: string;
}

/** Display name of a resource. */
export const nameOf = (entry: Named): string => entry.name ?? entry.display_name ?? '';

/**
 * Finds an entry by id, by name, or by name ignoring case and a leading # or @.
 *
 * @throws Failure if none or several match
 */
export function findByName<T extends Named>(noun: string, entries: readonly T[], wanted: string): T {
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

/** Reads all pages of a list. */
export async function everyEntry<T>(
  client: Client,
  path: string,
  query?: Record<string, unknown>,
): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of client.list<T>(path, { query })) entries.push(entry);
  return entries;
}

/** Parses a list argument: `a,b` or a repeated option. */
export const listed = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean),
];
