import { RE2JS, RE2JSException } from 're2js';
import { characters } from '@tieline/platform/http';

/** What a pattern may cost: this many characters of text against this many things to match. */
const MAX_TEXT = 1000;
const MAX_ATOMS = 300;

const TOKEN = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/** What is wrong with a pattern; undefined where it can be matched in linear time (RE2: no back references, no look-around). */
export function patternProblem(pattern: string): string | undefined {
  // Counted before it is compiled: that takes time as well.
  if (atomsOf(pattern) > MAX_ATOMS)
    return `must not match more than ${MAX_ATOMS} things, repetitions counted`;
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return 'must be a regular expression that RE2 knows (no back references, no look-around)';
  }
}

/** Whether the whole text has that form, as in a form of a web page; one of more than 1,000 characters has none. */
export function matchesPattern(pattern: string, text: string): boolean {
  return characters(text) <= MAX_TEXT && RE2JS.compile(pattern).matches(text);
}

/** How many characters and classes there are to match when every repetition is written out. */
function atomsOf(pattern: string): number {
  const groups: { sum: number; last: number }[] = [{ sum: 0, last: 0 }];
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
    const group = groups.at(-1)!;
    if (token === '(') groups.push({ sum: 0, last: 0 });
    else if (token === ')' && groups.length > 1) {
      groups.pop();
      add(groups.at(-1)!, group.sum);
    } else if (least !== undefined) repeat(group, Math.max(Number(least), Number(most ?? 0), 1));
    else add(group, 1);
  }
  return groups.reduce((all, { sum }) => all + sum, 0);
}

function add(group: { sum: number; last: number }, atoms: number): void {
  group.sum += atoms;
  group.last = atoms;
}

function repeat(group: { sum: number; last: number }, times: number): void {
  group.sum += group.last * (times - 1);
  group.last *= times;
}
