/** A line that turns the line before it into a heading. */
const UNDERLINE = /^(?:=+|-+)[ \t]*$/;

/**
 * Escapes Markdown blocks that Slack does not have: headings become literal, and a line after a
 * quote does not continue it. Leaves code unchanged.
 */
export function escapeUnsupportedBlocks(markdown: string): string {
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
