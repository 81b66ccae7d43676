import MarkdownIt from 'markdown-it';

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** A piece of a text, as it is drawn. No HTML of a message is ever one. */
export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'mention'; id: string }
  | { kind: 'code'; text: string }
  | { kind: 'block-code'; text: string; language: string }
  | { kind: 'image'; href: string; alt: string }
  | { kind: 'rule' }
  | { kind: 'element'; name: ElementName; href?: string; start?: number; children: Node[] };

export type ElementName = (typeof ELEMENTS)[number];

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

const MENTION = /<@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>|(?<![\p{L}\p{N}_])@(here|channel|all)\b/giu;

/** Reads Markdown. HTML in it is text; links lead to web and mail addresses only. */
export function markdownNodes(text: string): Node[] {
  return within(parser().parse(text, {}));
}

function parser(): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
  markdown.validateLink = isAllowed;
  return markdown;
}

const isAllowed = (address: string): boolean => /^(https?:\/\/|mailto:)/i.test(address.trim());

function within(tokens: readonly Token[]): Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  const here = () => open.at(-1) ?? root;
  for (const token of tokens) {
    if (token.nesting === -1) {
      if (isElement(token.tag) && !token.hidden) open.pop();
    } else if (token.nesting === 1) {
      if (!isElement(token.tag) || token.hidden) continue;
      const children: Node[] = [];
      here().push({ kind: 'element', name: token.tag, children, ...attributes(token) });
      open.push(children);
    } else here().push(...leaf(token));
  }
  return root;
}

function attributes(token: Token): { href?: string; start?: number } {
  const href = token.tag === 'a' ? token.attrGet('href') : null;
  const start = token.tag === 'ol' ? token.attrGet('start') : null;
  return { ...(href !== null && { href: String(href) }), ...(start !== null && { start: Number(start) }) };
}

function leaf(token: Token): Node[] {
  switch (token.type) {
    case 'inline':
      return within(token.children ?? []);
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
      return withMentions(token.content);
  }
}

/** A text with `<@id>` and `@here` set apart. */
export function withMentions(text: string): Node[] {
  const nodes: Node[] = [];
  let from = 0;
  for (const match of text.matchAll(MENTION)) {
    if (match.index > from) nodes.push({ kind: 'text', text: text.slice(from, match.index) });
    nodes.push({ kind: 'mention', id: (match[1] ?? match[2] ?? '').toLowerCase() });
    from = match.index + match[0].length;
  }
  if (from < text.length) nodes.push({ kind: 'text', text: text.slice(from) });
  return nodes;
}

const isElement = (tag: string): tag is ElementName => (ELEMENTS as readonly string[]).includes(tag);

/** The words alone, for previews and for screen readers. */
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
