import { wordsOf } from '../blocks/budget.js';
import { asFields, objects, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';
import { countNodes, limitedNodes, MAX_NODES } from '../markdown/limited.js';
import { cellText, FIRST_ROWS, rowsOf } from './table-rows.js';

/** Types of blocks that are drawn. Others are shown as text. */
const DRAWN = new Set(
  `header section divider context image actions context_actions input markdown rich_text table
   data_table card carousel container alert task_card plan video`.split(/\s+/),
);

/** Nodes that are drawn around the texts of an object, on average. */
const AROUND = 4;

interface DrawnBlocks {
  drawn: readonly Fields[];
  /** The texts of the other blocks. */
  rest: string;
}

/** Returns the blocks up to `limit` nodes, and the texts of all others. */
export function appBudget(blocks: readonly Fields[], limit = MAX_NODES): DrawnBlocks {
  const drawn: Fields[] = [];
  const rest: Fields[] = [];
  let left = limit;
  for (const block of blocks) {
    const cost = DRAWN.has(text(block.type)) ? costOf(block) : Number.POSITIVE_INFINITY;
    // A block that does not fit hides no smaller ones after it, except if the budget is used up.
    if (cost <= left) {
      left -= cost;
      drawn.push(block);
    } else rest.push(block);
  }
  return { drawn, rest: rest.map(textOfBlock).filter(Boolean).join('\n') };
}

/** Keys of lists that are drawn only when a menu opens. */
const CLOSED = new Set(['options', 'option_groups', 'confirm']);

function costOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + costOf(one), 0);
  if (typeof value === 'string') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  const fields = asFields(value);
  if (fields.type === 'mrkdwn' || fields.type === 'markdown')
    return AROUND + countNodes(limitedNodes(text(fields.text)));
  const isTable = fields.type === 'table' || fields.type === 'data_table';
  if (isTable) return AROUND + rowsOf(fields).slice(0, FIRST_ROWS).flat().length * 2;
  return Object.entries(fields).reduce(
    (sum, [key, inner]) => sum + (CLOSED.has(key) ? 0 : typeof inner === 'object' ? costOf(inner) : 0),
    AROUND,
  );
}

/** The text of a block that is not drawn. */
function textOfBlock(block: Fields): string {
  const rows = rowsOf(block).map((row) => row.map((cell) => cellText(cell)).join(' · '));
  if (rows.length > 0) return rows.join('\n');
  const nested = objects(block.child_blocks).map(textOfBlock);
  return [...new Set([...wordsOf(block), ...nested])].filter(Boolean).join('\n');
}
