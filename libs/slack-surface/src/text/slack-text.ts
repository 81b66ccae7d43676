import { markdownNodes } from '@tieline/markup';
import type { Node } from '@tieline/markup';
import { slackId } from '../ids/slack-ids.js';

const AUDIENCES = ['here', 'channel'];
/** Markdown elements that Slack marks by a character on both sides. */
const MARKS: Readonly<Record<string, string>> = { strong: '*', em: '_', s: '~' };
const HEADING = /^h[1-6]$/;

/** Returns whether a mention is that of an audience, such as `@here`. */
export const isAudience = (id: string): boolean => AUDIENCES.includes(id);

/**
 * Converts Markdown to Slack's markup (mrkdwn), with `&`, `<` and `>` escaped and mentions in
 * Slack's spelling of ids.
 */
export function slackText(markdown: string): string {
  return blocksOf(markdownNodes(markdown), '').join('\n');
}

/** Escapes the characters that Slack reads as markup. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns the lines of nodes. Inline nodes that follow each other are one paragraph. */
function blocksOf(nodes: readonly Node[], indent: string): string[] {
  const lines: string[] = [];
  let inline: Node[] = [];
  const endInline = (): void => {
    if (inline.length > 0) lines.push(...inlineText(inline).split('\n'));
    inline = [];
  };
  for (const node of nodes) {
    const block = blockLines(node, indent);
    if (block) {
      endInline();
      // Markdown separates blocks by an empty line.
      if (lines.length > 0 && !isListIn(node)) lines.push('');
      lines.push(...block);
    } else inline.push(node);
  }
  endInline();
  return lines;
}

/** Returns undefined for an inline node. */
function blockLines(node: Node, indent: string): string[] | undefined {
  if (node.kind === 'block-code') return ['```', ...escapeText(node.text).split('\n'), '```'];
  if (node.kind === 'rule') return ['---'];
  if (node.kind !== 'element') return undefined;
  const { name, children } = node;
  if (HEADING.test(name)) return [`*${inlineText(children)}*`];
  switch (name) {
    case 'p':
      return inlineText(children).split('\n');
    case 'ul':
    case 'ol':
      return children.flatMap((item, at) =>
        itemLines(item, name === 'ul' ? '•' : `${(node.start ?? 1) + at}.`, indent),
      );
    case 'blockquote':
      return blocksOf(children, '').map((line) => `> ${line}`);
    case 'table':
    case 'thead':
    case 'tbody':
      return children.flatMap((child) => blockLines(child, '') ?? []);
    case 'tr':
      return [children.map((cell) => inlineText([cell])).join(' | ')];
    default:
      return undefined;
  }
}

function itemLines(item: Node, marker: string, indent: string): string[] {
  const children = item.kind === 'element' ? item.children : [item];
  const [first = '', ...rest] = blocksOf(children, `${indent}    `);
  return [`${indent}${marker} ${first}`, ...rest];
}

const isListIn = (node: Node): boolean =>
  node.kind === 'element' && (node.name === 'ul' || node.name === 'ol');

function inlineText(nodes: readonly Node[]): string {
  return nodes.map(inlineNode).join('');
}

function inlineNode(node: Node): string {
  switch (node.kind) {
    case 'break':
      return '\n';
    case 'mention':
      return isAudience(node.id) ? `<!${node.id}>` : `<@${slackId('user', node.id)}>`;
    case 'code':
      return `\`${escapeText(node.text)}\``;
    case 'image':
      return linkText(node.href, node.alt);
    case 'rule':
      return '---';
    case 'element':
      return inlineElement(node);
    default:
      return escapeText(node.text);
  }
}

function inlineElement({ name, href, children }: Extract<Node, { kind: 'element' }>): string {
  const text = inlineText(children);
  if (name === 'a' && href !== undefined) return linkText(href, text);
  const mark = MARKS[name] ?? '';
  return `${mark}${text}${mark}`;
}

/** A link whose label is its address is written without a label, as Slack writes it. */
function linkText(href: string, label: string): string {
  const address = href.replaceAll('>', '%3E').replaceAll('|', '%7C').replaceAll('<', '%3C');
  const isBare = label === '' || label === escapeText(href);
  return isBare ? `<${address}>` : `<${address}|${label.replaceAll('|', '\u00A6')}>`;
}
