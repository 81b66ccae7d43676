import { markdownNodes } from '@tieline/markup';
import type { Node } from '@tieline/markup';
import { slackId } from '../ids/slack-ids.js';
import { isAudience } from './slack-text.js';

type Json = Record<string, unknown>;
type Style = Readonly<Record<string, true>>;

const STYLES: Readonly<Record<string, string>> = { strong: 'bold', em: 'italic', s: 'strike' };
const NO_STYLE: Style = {};

/**
 * Returns the `rich_text` block of a text in Markdown, as Slack adds it to what people type.
 * @returns an empty list for an empty text
 */
export function richTextBlocks(markdown: string, blockId: string): Json[] {
  const elements = partsOf(markdownNodes(markdown), 0);
  return elements.length === 0 ? [] : [{ type: 'rich_text', block_id: blockId, elements }];
}

/** Groups inline nodes into sections, between lists, quotes and preformatted texts. */
function partsOf(nodes: readonly Node[], indent: number): Json[] {
  const parts: Json[] = [];
  let inline: Json[] = [];
  const endSection = (): void => {
    if (inline.length > 0) parts.push({ type: 'rich_text_section', elements: inline });
    inline = [];
  };
  for (const node of nodes) {
    const own = partOf(node, indent);
    if (own) {
      endSection();
      parts.push(...own);
      continue;
    }
    if (inline.length > 0 && isParagraph(node)) inline.push({ type: 'text', text: '\n\n' });
    inline.push(...inlineElements([node], NO_STYLE));
  }
  endSection();
  return parts;
}

/** Returns undefined for a node that belongs to a section. */
function partOf(node: Node, indent: number): Json[] | undefined {
  if (node.kind === 'block-code')
    return [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: node.text }] }];
  if (node.kind !== 'element') return undefined;
  const { name, children } = node;
  if (name === 'blockquote')
    return [{ type: 'rich_text_quote', elements: inlineElements(children, NO_STYLE) }];
  if (name !== 'ul' && name !== 'ol') return undefined;
  return children.flatMap((item, at) => listParts(item, name, { indent, offset: at }));
}

/** One list per item, so that nested lists keep their place. */
function listParts(
  item: Node,
  name: 'ul' | 'ol',
  { indent, offset }: { indent: number; offset: number },
): Json[] {
  const children = item.kind === 'element' ? item.children : [item];
  const isNested = (node: Node): boolean => partOf(node, indent) !== undefined;
  const list = {
    type: 'rich_text_list',
    style: name === 'ul' ? 'bullet' : 'ordered',
    indent,
    ...(offset > 0 && name === 'ol' && { offset }),
    elements: [
      {
        type: 'rich_text_section',
        elements: inlineElements(
          children.filter((node) => !isNested(node)),
          NO_STYLE,
        ),
      },
    ],
  };
  return [list, ...children.filter(isNested).flatMap((node) => partOf(node, indent + 1) ?? [])];
}

const isParagraph = (node: Node): boolean => node.kind === 'element' && node.name === 'p';

function inlineElements(nodes: readonly Node[], style: Style): Json[] {
  return nodes.flatMap((node) => inlineElement(node, style));
}

function inlineElement(node: Node, style: Style): Json[] {
  const styled = Object.keys(style).length > 0 ? { style } : {};
  switch (node.kind) {
    case 'break':
      return [{ type: 'text', text: '\n', ...styled }];
    case 'mention':
      return isAudience(node.id)
        ? [{ type: 'broadcast', range: node.id }]
        : [{ type: 'user', user_id: slackId('user', node.id), ...styled }];
    case 'code':
      return [{ type: 'text', text: node.text, style: { ...style, code: true } }];
    case 'image':
      return [{ type: 'link', url: node.href, ...(node.alt !== '' && { text: node.alt }), ...styled }];
    case 'rule':
      return [{ type: 'text', text: '---' }];
    case 'element':
      return elementParts(node, style);
    default:
      return [{ type: 'text', text: node.text, ...styled }];
  }
}

function elementParts({ name, href, children }: Extract<Node, { kind: 'element' }>, style: Style): Json[] {
  if (name === 'a' && href !== undefined) {
    const text = textOf(children);
    const styled = Object.keys(style).length > 0 ? { style } : {};
    return [{ type: 'link', url: href, ...(text !== href && { text }), ...styled }];
  }
  const own = STYLES[name] ?? (/^(?:h[1-6]|th)$/.test(name) ? 'bold' : undefined);
  const parts = inlineElements(children, own ? { ...style, [own]: true } : style);
  return /^(?:tr|li)$/.test(name) ? [...parts, { type: 'text', text: '\n' }] : parts;
}

function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) =>
      node.kind === 'element'
        ? textOf(node.children)
        : 'text' in node
          ? node.text
          : node.kind === 'break'
            ? '\n'
            : '',
    )
    .join('');
}
