import { objects, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';
import { textOfRich } from './state.js';

/** Rows that a table shows before the person asks for more. */
export const FIRST_ROWS = 20;

/** Returns the rows of a table as lists of cells. */
export const rowsOf = (block: Fields): Fields[][] =>
  Array.isArray(block.rows) ? block.rows.map((row) => objects(row)) : [];

/** The text of a cell: `raw_text`, `raw_number` or `rich_text`. */
export const cellText = (cell: Fields | undefined): string =>
  cell?.type === 'rich_text' ? textOfRich(cell) : text(cell?.text) || text(cell?.value);

/** How a column is sorted. */
export interface Sorting {
  column: number;
  isDescending: boolean;
}

/** Returns the rows sorted by a column: numbers by value and before texts, texts by language. */
export function sortedRows(rows: readonly Fields[][], sorting: Sorting | undefined): Fields[][] {
  if (!sorting) return [...rows];
  const { column, isDescending } = sorting;
  const compared = rows.toSorted((one, other) => compare(one[column], other[column]));
  return isDescending ? compared.reverse() : compared;
}

function compare(one: Fields | undefined, other: Fields | undefined): number {
  const [a, b] = [numberOf(one), numberOf(other)];
  if (a !== undefined && b !== undefined) return a - b;
  if (a !== undefined || b !== undefined) return a === undefined ? 1 : -1;
  return cellText(one).localeCompare(cellText(other));
}

const numberOf = (cell: Fields | undefined): number | undefined =>
  typeof cell?.value === 'number' ? cell.value : undefined;

/** Returns the rows in which a cell contains the text, in any case. */
export function filteredRows(rows: readonly Fields[][], wanted: string): Fields[][] {
  const text = wanted.trim().toLocaleLowerCase();
  if (text === '') return [...rows];
  return rows.filter((row) => row.some((cell) => cellText(cell).toLocaleLowerCase().includes(text)));
}
