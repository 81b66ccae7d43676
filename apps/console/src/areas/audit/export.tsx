import { listAuditLogAsAdmin } from '@tieline/sdk/api';
import type { AuditEntryView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { saveFile } from '../../ui/data/save-file.js';
import { useToast } from '../../ui/overlays/toast.js';
import { actorKey, auditQuery } from './audit-search.js';
import type { AuditSearch } from './audit-search.js';
import styles from './audit.module.css';
import { csvOf } from './csv.js';
import { auditWords } from './words.js';

interface ExportProps {
  search: AuditSearch;
  nameOf: (id: string) => string;
}

/** Reads all entries that match the filters and saves them as a file. Can be stopped. */
export function Export({ search, nameOf }: ExportProps) {
  const words = useWords(auditWords);
  const client = useApi();
  const toast = useToast();
  const [read, setRead] = useState(0);
  const stop = useRef<AbortController>(undefined);
  const run = useMutation({
    mutationFn: async () => {
      const aborter = new AbortController();
      stop.current = aborter;
      const entries: AuditEntryView[] = [];
      const filters = auditQuery(search, Date.now());
      let cursor = '';
      do {
        const query = { ...filters, cursor, limit: 200 };
        const page = await listAuditLogAsAdmin({ client, query, signal: aborter.signal });
        entries.push(...page.entries);
        setRead(entries.length);
        cursor = page.next_cursor;
      } while (cursor !== '' && !aborter.signal.aborted);
      return aborter.signal.aborted ? undefined : entries;
    },
    onSuccess: (entries) => {
      if (!entries) return;
      const rows = entries.map((entry) => rowOf(entry, nameOf));
      saveFile(`${words.file}.csv`, csvOf([HEADER, ...rows]), 'text/csv');
      toast({ kind: 'good', text: words.exported(entries.length) });
    },
    onError: (failure) => {
      if (!stop.current?.signal.aborted) toast({ kind: 'bad', failure });
    },
    gcTime: 0,
  });
  if (!run.isPending) return <Button onPress={() => run.mutate()}>{words.export}</Button>;
  return (
    <span className={styles.export} role="status">
      {words.exporting(read)}
      <Button isSmall onPress={() => stop.current?.abort()}>
        {words.cancel}
      </Button>
    </span>
  );
}

const HEADER = ['time', 'actor', 'actor_id', 'action', 'object', 'object_type', 'object_id', 'ip', 'changes'];

const rowOf = (entry: AuditEntryView, nameOf: (id: string) => string): string[] => [
  entry.created_at,
  nameOf(actorKey(entry)),
  entry.actor_id ?? '',
  entry.action,
  nameOf(entry.object_id),
  entry.object_type,
  entry.object_id,
  entry.ip ?? '',
  JSON.stringify(entry.changes),
];
