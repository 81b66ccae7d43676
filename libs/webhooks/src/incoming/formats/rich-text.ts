import type { Payload } from '../message/payload.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MARKERS = [
  ['bold', '*'],
  ['italic', '_'],
  ['strike', '~'],
] as const;

/** Converts a `rich_text` block to Slack markup. */
export function richTextMarkup(block: Payload): string {
  return block
    .list('elements')
    .map(partMarkup)
    .filter((part) => part.trim() !== '')
    .join('\n');
}

/** Converts a `table` block to one line of text per row. */
export function tableMarkup(rows: readonly Payload[][]): string {
  return rows
    .map((cells) =>
      cells
        .map((cell) =>
          cell.word('type') === 'rich_text' ? richTextMarkup(cell) : escaped(cell.text('text')),
        )
        .join(' | '),
    )
    .join('\n');
}

/** Converts a `video` block to its linked title and description. */
export function videoMarkup(block: Payload): string {
  const title = block.text('title', 'text');
  const url = block.text('title_url') || block.text('video_url');
  return [url === '' ? escaped(title) : linkMarkup(url, title), escaped(block.text('description', 'text'))]
    .filter((line) => line !== '')
    .join('\n');
}

function partMarkup(part: Payload): string {
  switch (part.word('type')) {
    case 'rich_text_list':
      return listMarkup(part);
    case 'rich_text_preformatted':
      return `\`\`\`\n${part.list('elements').map(plainWords).join('')}\n\`\`\``;
    case 'rich_text_quote':
      return inlineMarkup(part).replaceAll(/^/gm, '> ');
    default:
      return inlineMarkup(part);
  }
}

function listMarkup(list: Payload): string {
  const isOrdered = list.word('style') === 'ordered';
  const [first, depth] = [Number(list.text('offset')) || 0, Math.min(Number(list.text('indent')) || 0, 8)];
  return list
    .list('elements')
    .map((item, at) => {
      const sign = isOrdered ? `${first + at + 1}.` : '•';
      return `${'\u00A0\u00A0'.repeat(depth)}${sign} ${partMarkup(item)}`;
    })
    .join('\n');
}

function inlineMarkup(section: Payload): string {
  return section.list('elements').map(elementMarkup).join('');
}

function elementMarkup(element: Payload): string {
  switch (element.word('type')) {
    case 'link':
      return linkMarkup(element.text('url'), element.raw('text'));
    case 'user':
      return UUID.test(element.text('user_id'))
        ? `<@${element.text('user_id')}>`
        : `@${element.text('user_id')}`;
    case 'channel':
      return `#${element.text('channel_id')}`;
    case 'usergroup':
      return `@${element.text('usergroup_id')}`;
    case 'broadcast':
      return `<!${element.word('range')}>`;
    case 'emoji':
      return emojiOf(element);
    default:
      return styled(escaped(plainWords(element)), element.object('style'));
  }
}

/** Returns the unstyled text of an element: its text, the fallback of a date, or a color value. */
function plainWords(element: Payload): string {
  return element.raw('text') || element.raw('fallback') || element.raw('value') || element.text('url');
}

/** Puts style markers around a single-line text, inside its surrounding white space. */
function styled(text: string, style: Payload): string {
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (words === '' || words.includes('\n')) return text;
  if (style.text('code') === 'true') return words.includes('`') ? text : `${before}\`${words}\`${after}`;
  const marks = MARKERS.filter(([name]) => style.text(name) === 'true').map(([, mark]) => mark);
  return `${before}${marks.join('')}${words}${marks.reverse().join('')}${after}`;
}

function linkMarkup(url: string, label: string): string {
  const words = escaped(label).replaceAll(/[|\n]/g, ' ');
  return words.trim() === '' ? `<${url}>` : `<${url}|${words}>`;
}

/**
 * Converts `unicode`, code points such as `1f1e9-1f1ea`, to the emoji. Without it, returns
 * `:name:`.
 */
function emojiOf(element: Payload): string {
  const codes = element
    .text('unicode')
    .split('-')
    .map((code) => Number.parseInt(code, 16));
  return codes.every((code) => code > 0 && code <= 0x10ffff)
    ? String.fromCodePoint(...codes)
    : `:${element.text('name')}:`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
