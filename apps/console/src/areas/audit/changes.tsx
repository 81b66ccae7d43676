import type { AuditEntryView } from '@tieline/sdk/api';
import { useWords } from '../../language/use-words.js';
import { Table } from '../../ui/data/table.js';
import styles from './audit.module.css';
import { auditWords } from './words.js';

/** Table of changed fields with their old and new values. */
export function Changes({ changes }: Pick<AuditEntryView, 'changes'>) {
  const words = useWords(auditWords);
  const rows = Object.entries(changes).map(([field, change]) => ({
    field,
    ...(change as { from?: unknown; to?: unknown }),
  }));
  if (rows.length === 0) return <p>{words.noChanges}</p>;
  return (
    <Table
      label={words.changes}
      rows={rows}
      rowId={({ field }) => field}
      columns={[
        { id: 'field', title: words.field, cell: ({ field }) => <code>{field}</code> },
        { id: 'from', title: words.before, cell: ({ from }) => <Value of={from} /> },
        { id: 'to', title: words.after, cell: ({ to }) => <Value of={to} /> },
      ]}
    />
  );
}

function Value({ of: value }: { of: unknown }) {
  if (value === null || value === undefined || value === '') return <span>–</span>;
  return <code className={styles.value}>{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}
