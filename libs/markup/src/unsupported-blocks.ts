/** A line that makes the one before it a heading. */
const UNDERLINE = /^(?:=+|-+)[ \t]*$/;

/**
 * Keeps Markdown's blocks out of a converted text that Slack doesn't have: headings are literal,
 * and a line after a quote doesn't belong to it. Lines of code stay.
 */
export function withoutForeignBlocks(markdown: string): string {
  if (!/^(?:#|=|-+[ \t]*\r?$|>)/m.test(markdown)) return markdown;
  let isCode = false;
  let before = '';
  const lines = markdown.split('\n').map((line) => {
    const isFence = line.trimStart().startsWith('```');
    const shown = isCode || isFence ? line : withoutHeading(line, before);
    const leavesQuote = !isCode && before.startsWith('>') && !line.startsWith('>') && line.trim() !== '';
    if (isFence) isCode = !isCode;
    before = line;
    return leavesQuote ? `\n${shown}` : shown;
  });
  return lines.join('\n');
}

function withoutHeading(line: string, before: string): string {
  const isHeading = /^#{1,6}(?:\s|$)/.test(line) || (before.trim() !== '' && UNDERLINE.test(line.trimEnd()));
  return isHeading ? `\\${line}` : line;
}
