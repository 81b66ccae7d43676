import type { FocusEvent, ReactNode } from 'react';
import {
  Cell,
  Column as AriaColumn,
  Row,
  Table as AriaTable,
  TableBody,
  TableHeader,
} from 'react-aria-components';
import styles from './table.module.css';

/** One column of a {@link Table}. */
export interface Column<T> {
  id: string;
  title: string;
  /** What a cell shows. */
  cell: (row: T) => ReactNode;
  /** The column that names the row; the first unless another says so. */
  isName?: boolean;
  /** Numbers stand under each other, at the end of the column. */
  isNumber?: boolean;
  /**
   * What can be done with the row: its title is for screen readers alone, the buttons say what they
   * do.
   */
  isActions?: boolean;
  /** Left out below 40 rem, where a row becomes a card. */
  isMinor?: boolean;
}

interface TableProps<T extends object> {
  /** For screen readers: what the rows are. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowId: (row: T) => string;
  /** Where a row leads. */
  href?: (row: T) => string;
  onOpen?: (row: T) => void;
  /** Shown instead of rows; without it nothing is. */
  empty?: ReactNode;
}

/**
 * Rows of things. On a narrow screen each row becomes a card with the titles of the columns in it.
 */
export function Table<T extends object>({ label, columns, rows, rowId, href, onOpen, empty }: TableProps<T>) {
  if (rows.length === 0 && empty !== undefined) return empty;
  const nameId = (columns.find(({ isName }) => isName) ?? columns[0])?.id;
  const byId = new Map(rows.map((row) => [rowId(row), row]));
  return (
    <div className={styles.frame}>
      <AriaTable
        aria-label={label}
        className={styles.table}
        onRowAction={
          onOpen &&
          ((id) => {
            const row = byId.get(String(id));
            if (row) onOpen(row);
          })
        }
      >
        <TableHeader>
          {columns.map((column) => (
            <AriaColumn
              key={column.id}
              id={column.id}
              isRowHeader={column.id === nameId}
              className={cellLook(column)}
            >
              {column.isActions ? <span className={styles.hidden}>{column.title}</span> : column.title}
            </AriaColumn>
          ))}
        </TableHeader>
        <TableBody>
          {rows.map((row) => (
            <Row key={rowId(row)} id={rowId(row)} href={href?.(row)} className={styles.row}>
              {columns.map((column) => (
                <Cell
                  key={column.id}
                  className={`${cellLook(column)} ${column.id === nameId ? styles.name : ''}`}
                >
                  <span className={styles.label} aria-hidden>
                    {column.title}
                  </span>
                  <span className={styles.content} ref={giveBackHere} onFocus={stayHere}>
                    {column.cell(row)}
                  </span>
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </AriaTable>
    </div>
  );
}

/**
 * React Aria's grid is one stop for Tab: focus that comes from elsewhere goes to a row, even where
 * it was meant for a button in it, and Enter then asks the row, which does nothing.
 */
function stayHere(event: FocusEvent<HTMLElement>): void {
  const table = event.currentTarget.closest('table');
  if (!table?.contains(event.relatedTarget)) event.stopPropagation();
}

/**
 * What a dialog tells when it gives the focus back: the grid would give it to a row, and not to the
 * button that opened the dialog.
 */
const GIVEN_BACK = 'react-aria-focus-scope-restore';

function giveBackHere(content: HTMLElement | null): (() => void) | undefined {
  const keep = (event: Event) => event.stopPropagation();
  content?.addEventListener(GIVEN_BACK, keep);
  return () => content?.removeEventListener(GIVEN_BACK, keep);
}

const cellLook = ({ isNumber, isMinor, isActions }: Column<never>) =>
  [styles.cell, isNumber && styles.number, isMinor && styles.minor, isActions && styles.actions]
    .filter(Boolean)
    .join(' ');
