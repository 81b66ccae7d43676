const NOT_ASCII = /[^\0-\x7F]/gu;
const CAPITALS = /[A-Z]+/g;
/**
 * The only letter that loses its identity on the way through a capital: "ı" folds to itself, not to
 * "i".
 */
const DOTLESS_I = '\u0131';

/**
 * Returns a text in which letters that differ only in case are the same, in NFC: Unicode's full
 * case folding, which also takes "ß" for "ss". Letter by letter, because the lower case of "Σ"
 * depends on its place in the word.
 */
export function foldCase(text: string): string {
  return text
    .normalize('NFC')
    .replace(CAPITALS, (letters) => letters.toLowerCase())
    .replace(NOT_ASCII, foldLetter)
    .normalize('NFC');
}

function foldLetter(letter: string): string {
  if (letter === DOTLESS_I) return letter;
  const capitals = letter.toLowerCase().toUpperCase();
  return Array.from(capitals, (capital) => capital.toLowerCase()).join('');
}
