import { firstLine, line } from './native-format.js';
import type { Payload } from '../../message/payload.js';
import type { Severity } from '../../message/severity.js';

/** Severities of advisories and code scanning rules. */
export const ADVISORY_SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['high', 'warning'],
  ['moderate', 'warning'],
  ['medium', 'warning'],
  ['error', 'warning'],
  ['warning', 'warning'],
]);
/** Maximum number of commits shown for a push. */
const MAX_SHOWN = 10;

/** Returns a line for each of the newest commits: id, first line of the message, author. */
export function commitLines(body: Payload, total = body.count('commits')): string[] {
  const commits = body.list('commits').slice(-MAX_SHOWN);
  const more = total - commits.length;
  return [...(more > 0 ? [`… and ${more} before`] : []), ...commits.map(commitLine)];
}

function commitLine(commit: Payload): string {
  const author = commit.text('author', 'name') || commit.text('author', 'username');
  return line(commit.text('id').slice(0, 8), firstLine(commit.text('message')), author && `(${author})`);
}

/** Splits a ref into its kind and name. */
export function refOf(ref: string): { kind: 'branch' | 'tag'; name: string } {
  const isTag = ref.startsWith('refs/tags/');
  return { kind: isTag ? 'tag' : 'branch', name: ref.replace(/^refs\/(?:heads|tags)\//, '') };
}

/**
 * Whether an id is all zeros, which stands for "no commit" before a branch is created and after it
 * is deleted.
 */
export function isNoCommit(id: string): boolean {
  return /^0{40,64}$/.test(id);
}
