import { firstLine, line } from '../native-format.js';
import type { Payload } from '../payload.js';

/** Commits that are shown of a push. */
const SHOWN = 10;

/** The newest commits of a push, each by its id, the first line of its message, and its author. */
export function commitLines(body: Payload, total = body.count('commits')): string[] {
  const commits = body.list('commits').slice(-SHOWN);
  const more = total - commits.length;
  return [...(more > 0 ? [`… and ${more} before`] : []), ...commits.map(commitLine)];
}

function commitLine(commit: Payload): string {
  const author = commit.text('author', 'name') || commit.text('author', 'username');
  return line(commit.text('id').slice(0, 8), firstLine(commit.text('message')), author && `(${author})`);
}

/** The name of a branch or tag, and which of both it is. */
export function refOf(ref: string): { kind: 'branch' | 'tag'; name: string } {
  const isTag = ref.startsWith('refs/tags/');
  return { kind: isTag ? 'tag' : 'branch', name: ref.replace(/^refs\/(?:heads|tags)\//, '') };
}

/** A commit that stands for nothing: before a branch was made, after it was removed. */
export function isNoCommit(id: string): boolean {
  return /^0{40,64}$/.test(id);
}
