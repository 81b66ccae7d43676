import { markdownNodes } from '@tieline/markup';
import type { Node } from '@tieline/markup';

/** How many nodes one message may make the page draw, over its Markdown, blocks and attachments. */
export const MAX_NODES = 2000;

/** Characters of the line between a table's head and its rows. */
const DELIMITER = /^[-:|\s>]*-[-:|\s>]*$/;

/**
 * Reads Markdown into at most `limit` nodes. A text that needs more is a single node: shown as it
 * is, with its line breaks. Takes time linear in the text.
 */
export function limitedNodes(text: string, limit = MAX_NODES): Node[] {
  // Short rows of a table are completed: its cells have to be counted before it is read.
  if (2 * tableCells(text) > limit) return [{ kind: 'plain', text }];
  const nodes = markdownNodes(text);
  return countNodes(nodes) > limit ? [{ kind: 'plain', text }] : nodes;
}

/** How many elements and texts the nodes are drawn as. */
export function countNodes(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => sum + 1 + (node.kind === 'element' ? countNodes(node.children) : 0), 0);
}

/**
 * An upper bound for the cells of all tables: columns of the delimiter line times the lines around
 * it.
 */
function tableCells(text: string): number {
  if (!text.includes('|')) return 0;
  let cells = 0;
  let columns = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') columns = 0;
    else if (DELIMITER.test(line)) columns = Math.max(columns, line.split('|').length);
    cells += columns;
  }
  return cells;
}
