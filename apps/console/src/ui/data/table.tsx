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

/** A column of a {@link Table}. */
export interface Column<T> {
  id: string;
  title: string;
  /** Renders a cell. */
  cell: (row: T) => ReactNode;
  /** The column that names the row. Default: the first. */
  isName?: boolean;
  /** Aligns numbers at the end of the column. */
  isNumber?: boolean;
  /** Contains actions. The title is only for screen readers. */
  isActions?: boolean;
  /** Hidden below 40 rem, where rows become cards. */
  isMinor?: boolean;
}

interface TableProps<T extends object> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowId: (row: T) => string;
  /** Link of a row. */
  href?: (row: T) => string;
  onOpen?: (row: T) => void;
  /** Shown if there are no rows. */
  empty?: ReactNode;
}

/** A table. On narrow screens each row becomes a card with the column titles. */
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
 * React Aria's grid is one tab stop. Focus from outside would move from a button to its row, and
 * Enter would then activate the row.
 */
function stayHere(event: FocusEvent<HTMLElement>): void {
  const table = event.currentTarget.closest('table');
  if (!table?.contains(event.relatedTarget)) event.stopPropagation();
}

/**
 * Event of a dialog that restores focus. The grid would focus a row instead of the button that
 * opened the dialog.
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
