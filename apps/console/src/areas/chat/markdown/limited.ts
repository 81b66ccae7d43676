import { markdownNodes } from '@tieline/markup';
import type { Node } from '@tieline/markup';

/** Maximum number of nodes rendered for one message: Markdown, blocks and attachments together. */
export const MAX_NODES = 2000;

/** Matches the line between the head and the rows of a table. */
const DELIMITER = /^[-:|\s>]*-[-:|\s>]*$/;

/**
 * Parses Markdown into at most `limit` nodes. A larger text becomes a single node shown as plain
 * text. Runs in linear time.
 */
export function limitedNodes(text: string, limit = MAX_NODES): Node[] {
  // The parser pads short table rows, so cells are counted before parsing.
  if (2 * tableCells(text) > limit) return [{ kind: 'plain', text }];
  const nodes = markdownNodes(text);
  return countNodes(nodes) > limit ? [{ kind: 'plain', text }] : nodes;
}

/** Returns the number of elements and texts that the nodes render. */
export function countNodes(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => sum + 1 + (node.kind === 'element' ? countNodes(node.children) : 0), 0);
}

/**
 * Returns an upper bound for the cells of all tables: columns of the delimiter line times the
 * surrounding lines.
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
