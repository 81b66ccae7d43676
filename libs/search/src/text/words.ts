import { fold } from './fold.js';

/** A word of a text, with the place where it stands. */
export interface Word {
  /** Folded, at most {@link MAX_WORD} characters. */
  text: string;
  /** Number of the word in the text, from 1. Words of a phrase have consecutive numbers. */
  position: number;
  /** UTF-16 offsets in the original text, the end exclusive. */
  start: number;
  end: number;
}

/** Longer words are compared by their first characters. */
const MAX_WORD = 64;

/** Scripts that are written without spaces, inside of a character class. */
export const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc';
const TOKEN = new RegExp(
  `[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])+|\\p{RI}{2}|\\p{Extended_Pictographic}`,
  'gu',
);
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
/** Mentions are shown as names, so the id is no text. */
const MENTION = /<@[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}>/gi;

/**
 * Splits a text into words: runs of letters, digits and `_`, and single emoji. Of scripts without
 * spaces, each pair of neighboring characters is a word, and so is the last character of a run.
 * Mentions are left out.
 */
export function wordsOf(text: string): Word[] {
  const folded = fold(text);
  const hidden = text.includes('<@')
    ? Array.from(text.matchAll(MENTION), ({ 0: token, index }) => [index, index + token.length] as const)
    : [];
  const words: Word[] = [];
  for (const { 0: token, index } of folded.text.matchAll(TOKEN)) {
    const first = folded.startOf(index);
    if (hidden.some(([from, to]) => first >= from && first < to)) continue;
    for (const [part, at] of partsOf(token))
      words.push({
        text: cut(part),
        position: words.length + 1,
        start: folded.startOf(index + at),
        end: folded.endOf(index + at + part.length - 1),
      });
  }
  return words;
}

/** Returns the words of a token and their offsets in it. */
function partsOf(token: string): [string, number][] {
  if (STARTS_UNSPACED.test(token)) return pairsOf(token);
  const trimmed = token.replace(/^_+|_+$/g, '');
  return trimmed === '' ? [] : [[trimmed, token.indexOf(trimmed)]];
}

function pairsOf(run: string): [string, number][] {
  let at = 0;
  const characters = [...run];
  return characters.map((character, n) => {
    const pair: [string, number] = [character + (characters[n + 1] ?? ''), at];
    at += character.length;
    return pair;
  });
}

function cut(word: string): string {
  return word.length <= MAX_WORD ? word : [...word].slice(0, MAX_WORD).join('');
}
