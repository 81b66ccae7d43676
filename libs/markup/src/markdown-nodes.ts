import { markdownParser } from './markdown-parser.js';
import type { Token } from './markdown-parser.js';
import { mentionsIn } from './mentions.js';

/** A node of a rendered text. Never contains HTML. */
export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'mention'; id: string }
  /** A literal text with its line breaks. */
  | { kind: 'plain'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'block-code'; text: string; language: string }
  | { kind: 'image'; href: string; alt: string }
  | { kind: 'rule' }
  | { kind: 'element'; name: ElementName; href?: string; start?: number; children: Node[] };

type ElementName = (typeof ELEMENTS)[number];

const ELEMENTS = [
  'p',
  'strong',
  'em',
  's',
  'a',
  'ul',
  'ol',
  'li',
  'blockquote',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
] as const;

/** Marks escaped characters while a text is parsed. */
const LITERAL = '\u0002';

const parser = markdownParser();

/** Parses Markdown. HTML becomes text. Only web and mail links are allowed. */
export function markdownNodes(text: string): Node[] {
  return toNodes(parser.parse(text, {}));
}

function toNodes(tokens: readonly Token[], isQuoted = false): Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  const here = () => open.at(-1) ?? root;
  let text = '';
  let links = 0;
  let quotes = isQuoted ? 1 : 0;
  const endText = () => {
    if (text !== '') here().push(...(quotes + links > 0 ? [textNode(text)] : withMentions(text)));
    text = '';
  };
  for (const token of tokens) {
    if (token.type === 'text' || token.type === 'text_special') {
      text += token.type === 'text' ? token.content : literal(token.content);
      continue;
    }
    endText();
    if (token.type === 'link_open' || token.type === 'link_close') links += token.nesting;
    if (token.type === 'blockquote_open' || token.type === 'blockquote_close') quotes += token.nesting;
    if (token.nesting === -1) {
      if (isElement(token.tag) && !token.hidden) open.pop();
    } else if (token.nesting === 1) {
      if (!isElement(token.tag) || token.hidden) continue;
      const children: Node[] = [];
      here().push({ kind: 'element', name: token.tag, children, ...attributes(token) });
      open.push(children);
    } else here().push(...leaf(token, quotes > 0));
  }
  endText();
  return root;
}

/** Marks an escaped character, so that it starts no mention. `textNode` removes the mark. */
const literal = (character: string): string => character.replace(/[@<>]/g, `${LITERAL}$&${LITERAL}`);

const textNode = (text: string): Node => ({ kind: 'text', text: text.replaceAll(LITERAL, '') });

function attributes(token: Token): { href?: string; start?: number } {
  const href = token.tag === 'a' ? token.attrGet('href') : null;
  const start = token.tag === 'ol' ? token.attrGet('start') : null;
  return { ...(href !== null && { href: String(href) }), ...(start !== null && { start: Number(start) }) };
}

function leaf(token: Token, isQuoted: boolean): Node[] {
  switch (token.type) {
    case 'inline':
      return toNodes(token.children ?? [], isQuoted);
    case 'softbreak':
    case 'hardbreak':
      return [{ kind: 'break' }];
    case 'hr':
      return [{ kind: 'rule' }];
    case 'code_inline':
      return [{ kind: 'code', text: token.content }];
    case 'fence':
    case 'code_block':
      return [
        {
          kind: 'block-code',
          text: token.content.replace(/\n$/, ''),
          language: token.info.split(' ')[0] ?? '',
        },
      ];
    case 'image':
      return [{ kind: 'image', href: String(token.attrGet('src') ?? ''), alt: token.content }];
    default:
      return isQuoted ? [textNode(token.content)] : withMentions(token.content);
  }
}

/** Splits a text into text and mentions (`<@id>`, `@here`, `@channel`). */
export function withMentions(text: string): Node[] {
  const nodes: Node[] = [];
  let from = 0;
  for (const { of, start, end } of mentionsIn(text)) {
    if (start > from) nodes.push(textNode(text.slice(from, start)));
    nodes.push({ kind: 'mention', id: of });
    from = end;
  }
  if (from < text.length) nodes.push(textNode(text.slice(from)));
  return nodes;
}

const isElement = (tag: string): tag is ElementName => (ELEMENTS as readonly string[]).includes(tag);

/** Returns the plain text, for previews and screen readers. */
export function plainText(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (node.kind === 'element') return plainText(node.children);
      if (node.kind === 'mention') return `@${node.id}`;
      if (node.kind === 'image') return node.alt;
      return 'text' in node ? node.text : ' ';
    })
    .join('');
}
