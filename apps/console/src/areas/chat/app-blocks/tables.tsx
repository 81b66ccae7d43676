import { useState } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import field from '../../../ui/forms/field.module.css';
import { asFields, objects, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';
import styles from './app-blocks.module.css';
import { RichText } from './rich-text.js';
import { cellText, filteredRows, FIRST_ROWS, rowsOf, sortedRows } from './table-rows.js';
import type { Sorting } from './table-rows.js';
import { appWords } from './words.js';

/** A table. Its first row is the head. Long tables grow on request. */
export function Table({ block }: { block: Fields }) {
  const words = useWords(appWords);
  const [head, ...rows] = rowsOf(block);
  const settings = objects(block.column_settings);
  const [count, setCount] = useState(FIRST_ROWS);
  const look = (column: number) => ({
    className: styles.cell,
    'data-align': text(settings[column]?.align) || undefined,
    'data-wrapped': settings[column]?.is_wrapped === true ? '' : undefined,
  });
  return (
    <div className={styles.tableFrame} role="group" aria-label={words.table} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head?.map((cell, column) => (
              <th key={column} scope="col" {...look(column)}>
                <Cell cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, count).map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} {...look(column)}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More isShown={rows.length > count} onPress={() => setCount(count + FIRST_ROWS)} />
    </div>
  );
}

/** A table with a caption, which can be sorted and searched. */
export function DataTable({ block }: { block: Fields }) {
  const words = useWords(appWords);
  const [head = [], ...rows] = rowsOf(block);
  const page = Math.min(Number(block.page_size) || FIRST_ROWS, FIRST_ROWS);
  const [count, setCount] = useState(page);
  const [sorting, setSorting] = useState<Sorting>();
  const [wanted, setWanted] = useState('');
  const caption = text(block.caption) || words.table;
  const headerColumn = Number(block.row_header_column_index ?? -1);
  const shown = sortedRows(filteredRows(rows, wanted), sorting);
  const sortBy = (column: number) => {
    const isAgain = sorting?.column === column;
    setSorting(isAgain && sorting.isDescending ? undefined : { column, isDescending: isAgain });
  };
  return (
    <div className={styles.dataTable}>
      {rows.length > page && (
        <SearchField aria-label={words.search} value={wanted} onChange={setWanted}>
          <Input className={field.input} placeholder={words.search} />
        </SearchField>
      )}
      <div className={styles.tableFrame} role="group" aria-label={caption} tabIndex={0}>
        <table className={styles.table}>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {head.map((cell, column) => (
                <th key={column} scope="col" className={styles.cell} aria-sort={sortOf(sorting, column)}>
                  <button
                    type="button"
                    className={styles.sort}
                    aria-label={words.sortBy(cellText(cell))}
                    onClick={() => sortBy(column)}
                  >
                    {cellText(cell)}
                    <span aria-hidden>{arrowOf(sorting, column)}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, count).map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) =>
                  column === headerColumn ? (
                    <th key={column} scope="row" className={styles.cell}>
                      <Cell cell={cell} />
                    </th>
                  ) : (
                    <td
                      key={column}
                      className={styles.cell}
                      data-align={cell.type === 'raw_number' ? 'right' : undefined}
                    >
                      <Cell cell={cell} />
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <More isShown={shown.length > count} onPress={() => setCount(count + page)} />
    </div>
  );
}

function More({ isShown, onPress }: { isShown: boolean; onPress: () => void }) {
  const words = useWords(appWords);
  return isShown ? (
    <Button isSmall onPress={onPress}>
      {words.rowsMore}
    </Button>
  ) : null;
}

const sortOf = (sorting: Sorting | undefined, column: number) =>
  sorting?.column === column ? (sorting.isDescending ? 'descending' : 'ascending') : 'none';

const arrowOf = (sorting: Sorting | undefined, column: number): string =>
  sorting?.column === column ? (sorting.isDescending ? ' ↓' : ' ↑') : '';

const Cell = ({ cell }: { cell: Fields }) =>
  cell.type === 'rich_text' ? <RichText block={asFields(cell)} /> : cellText(cell);
