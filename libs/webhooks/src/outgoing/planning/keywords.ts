// Decisions, section 4: word characters are Unicode letters, marks, digits and the underscore.
const WORD = String.raw`[\p{L}\p{M}\p{Nd}_]`;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/** Tells whether a text contains any of the keywords. */
export type KeywordMatcher = (text: string) => boolean;

/**
 * Compiles keywords into one pass over the text: whole tokens, case-insensitive; the words of a phrase may be separated
 * by any white space. Composed and decomposed spellings of a letter are the same.
 *
 * @param keywords at least one, without white space at the ends
 */
export function keywordMatcher(keywords: readonly string[]): KeywordMatcher {
  const pattern = new RegExp(`(?<!${WORD})(?:${keywords.map(alternative).join('|')})(?!${WORD})`, 'iu');
  return (text) => pattern.test(text.normalize('NFC'));
}

function alternative(keyword: string): string {
  return keyword
    .normalize('NFC')
    .split(/\s+/u)
    .map((word) => word.replace(SYNTAX, String.raw`\$&`))
    .join(String.raw`\s+`);
}
