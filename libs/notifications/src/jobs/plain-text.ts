import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt();
type Token = ReturnType<typeof markdown.parse>[number];

/**
 * Renders Markdown as plain text: words without markup, links as their labels, list items with a
 * bullet.
 */
export function plainText(source: string): string {
  const lines: string[] = [];
  let bullet = '';
  for (const token of markdown.parse(source, {})) {
    if (token.type === 'list_item_open') bullet = '• ';
    const text = token.children ? token.children.map(visibleText).join('') : token.content;
    if (text.trim() === '') continue;
    lines.push(bullet + text.trimEnd());
    bullet = '';
  }
  return lines.join('\n');
}

/** `content` of an image is its alternative text. */
function visibleText({ type, content }: Token): string {
  return type === 'softbreak' || type === 'hardbreak' ? '\n' : content;
}
