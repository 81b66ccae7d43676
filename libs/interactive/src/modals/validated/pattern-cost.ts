/*
 * Estimates the cost of compiling a pattern from its source, to keep the compiler from running too
 * long. The cost of matching is measured on the compiled program (form-patterns.ts).
 */

/** An escape, class, counted repetition, flags, the start of a group, or one character. */
const TOKEN =
  /\\x\{[0-9A-Fa-f]+\}|\\[pP](?:\{\^?\w+\}|.)|\\.|\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|\(\?[a-zA-Z-]+\)|\((?:\?(?:P?<\w+>|[a-zA-Z-]*:?))?|./gsu;
/** A repetition, or flags for the rest of a group. The next token may repeat the atom before. */
const OPERATOR = /^(?:[*+?]|\(\?.*\))$/s;
const CAPTURE = /^\($|<\w+>$/;
const IGNORES_CASE = /\(\?[a-zA-Z-]*i/;
const UNICODE_CLASS = /\\[pP]/g;
const RANGE = /(\\x\{[0-9A-Fa-f]+\}|\\.|[^\\])-(?=(\\x\{[0-9A-Fa-f]+\}|\\.|[^\\]))/gsu;
const LAST_WITH_CASE = 0x1e943;

/**
 * Compile cost in steps: per atom, per `\p{…}`, and per code point of a range. A step is one
 * instruction applied to one character.
 */
const STEPS = { atom: 90, unicodeClass: 400, foldedUnicodeClass: 5000, foldedCodePoint: 0.5 };

/** Returns the number of steps needed to compile the pattern. */
export function stepsToCompile(pattern: string, atoms: number): number {
  const folds = IGNORES_CASE.test(pattern);
  const classes = pattern.match(UNICODE_CLASS)?.length ?? 0;
  const perClass = folds ? STEPS.foldedUnicodeClass : STEPS.unicodeClass;
  return (
    atoms * STEPS.atom +
    classes * perClass +
    (folds ? codePointsInRanges(pattern) * STEPS.foldedCodePoint : 0)
  );
}

/** Returns the number of atoms (characters, classes, groups, flags), with repetitions expanded. */
export function atomsOf(pattern: string): number {
  const groups: { sum: number; last: number }[] = [{ sum: 0, last: 0 }];
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
    const group = groups.at(-1)!;
    if (OPERATOR.test(token)) {
      group.sum += 1;
      group.last += 1;
    } else if (token.startsWith('(')) groups.push({ sum: CAPTURE.test(token) ? 2 : 1, last: 0 });
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

/** Counts the code points in ranges, which case folding visits one by one. */
function codePointsInRanges(pattern: string): number {
  let all = 0;
  for (const [, low = '', high = ''] of pattern.matchAll(RANGE))
    all += Math.max(0, Math.min(codePointOf(high), LAST_WITH_CASE) - codePointOf(low));
  return all;
}

function codePointOf(token: string): number {
  const hex = /^\\x\{(.*)\}$/.exec(token)?.[1];
  return hex === undefined ? (token.replace(/^\\/, '').codePointAt(0) ?? 0) : Number.parseInt(hex, 16);
}
