/** Cuts a text to a number of characters, the last of them `…`. */
export function cut(text: string, limit: number, noted: (length: number) => void): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  if (characters.length <= limit) return text;
  noted(characters.length);
  return `${characters.slice(0, limit - 1).join('')}…`;
}
