/**
 * Returns a token or id with another character in its middle. At the end, the replacement may be
 * the character that is there, or differ only in bits that a decoder ignores.
 */
export function tampered(text: string): string {
  const middle = text.length >> 1;
  return text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
}
