/**
 * Cuts a text to `limit` characters, the last of them `…`. Calls `noted` with the original length
 * if it cuts.
 */
export function cut(text: string, limit: number, noted: (length: number) => void): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  if (characters.length <= limit) return text;
  noted(characters.length);
  return `${characters.slice(0, limit - 1).join('')}…`;
}
