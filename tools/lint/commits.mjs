/**
 * How commit messages are written (CONTRIBUTING.md, "Commits").
 *
 *   node tools/lint/commits.mjs <file>   one message, as the hook `commit-msg` gets it
 *   node tools/lint/commits.mjs          every commit since this check exists
 *
 * `git config core.hooksPath tools/hooks` switches the hook on.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const SUBJECT =
  /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([a-z0-9,-]+\))?!?: (\S.*)$/;
const LONGEST = { subject: 72, body: 100 };
const PAST =
  /^(added|changed|fixed|removed|updated|moved|renamed|made|adds|changes|fixes|removes|updates|makes)\b/i;

/**
 * @param {string} message
 * @returns {string[]} one sentence per problem
 */
export function commitProblems(message) {
  const lines = message.split('\n').filter((line) => !line.startsWith('#'));
  const [subject = '', ...body] = lines;
  if (/^(Merge|Revert|fixup!|squash!) /.test(subject)) return [];
  const [, , , text = ''] = SUBJECT.exec(subject) ?? [];
  return [
    ...(text ? [] : ['the subject is "type(scope): verb …", such as "fix(slash): refuse empty names"']),
    ...(subject.length > LONGEST.subject ? [`the subject has more than ${LONGEST.subject} characters`] : []),
    ...(text.includes(';') ? ['two changes are two commits: no ";" in the subject'] : []),
    ...(PAST.test(text) ? ['the verb is imperative: "add", not "added" or "adds"'] : []),
    ...(text.endsWith('.') ? ['the subject has no period'] : []),
    ...(body[0]?.trim() ? ['an empty line follows the subject'] : []),
    ...(body.some((line) => line.length > LONGEST.body && line.includes(' '))
      ? [`lines of the body have at most ${LONGEST.body} characters`]
      : []),
  ];
}

function newCommits() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  const first = firstCommit(git);
  if (!first) return [];
  return git('log', '--format=%h%n%B%x00', `${first}..HEAD`)
    .split('\0')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n') + 1)]);
}

/** @returns {string | undefined} the commit that added this check; none without a history */
function firstCommit(git) {
  try {
    return git('log', '--diff-filter=A', '--format=%H', '--', 'tools/lint/commits.mjs').split('\n')[0];
  } catch {
    return undefined;
  }
}

const [, started] = process.argv;
if (started && import.meta.url === pathToFileURL(started).href) {
  const [, , file] = process.argv;
  const commits = file ? [['this commit', readFileSync(file, 'utf8')]] : newCommits();
  const problems = commits.flatMap(([name, message]) =>
    commitProblems(message).map((problem) => `${name}: ${problem}`),
  );
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
