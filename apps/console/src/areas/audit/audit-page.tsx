import { listAuditLogAsAdmin } from '@tieline/sdk/api';
import type { AuditEntryView } from '@tieline/sdk/api';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { usePreferences } from '../../language/preferences-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { formatInstant } from '../../ui/data/formats.js';
import { Paged } from '../../ui/data/more.js';
import { Table } from '../../ui/data/table.js';
import { Time } from '../../ui/data/time.js';
import { FormActions } from '../../ui/forms/form.js';
import { Book } from '../../ui/icons.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Empty } from '../../ui/page/empty.js';
import { Fact, Facts, Page } from '../../ui/page/page.js';
import { useActionName } from './action-name.js';
import { actorKey, auditQuery, toldNames } from './audit-search.js';
import type { AuditSearch } from './audit-search.js';
import { Changes } from './changes.js';
import { Export } from './export.js';
import { Filters } from './filters.js';
import { useNames } from './names.js';
import { auditWords } from './words.js';

const route = getRouteApi('/signed-in/audit');

/** The audit log. The address holds the filters, and a click on a row opens the change. */
export function AuditPage() {
  const words = useWords(auditWords);
  const client = useApi();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<AuditEntryView>();
  const query = useInfiniteQuery({
    queryKey: ['audit', search],
    queryFn: ({ pageParam }) =>
      listAuditLogAsAdmin({
        client,
        query: { ...auditQuery(search, Date.now()), cursor: pageParam, limit: 100 },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
    placeholderData: keepPreviousData,
  });
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const nameOf = useNames(toldNames(entries));
  const look = (part: AuditSearch) => void navigate({ search: { ...search, ...part }, replace: true });
  const clear = () => void navigate({ search: {}, replace: true });
  return (
    <Page title={words.title} intro={words.intro} actions={<Export search={search} nameOf={nameOf} />}>
      <Filters search={search} entries={entries} nameOf={nameOf} onLook={look} />
      <Paged query={query} rows={(page) => page.entries}>
        {(shown) => (
          <Rows
            entries={shown}
            nameOf={nameOf}
            onOpen={setOpen}
            isAll={Object.keys(search).length === 0}
            onClear={clear}
          />
        )}
      </Paged>
      {open && (
        <Dialog isOpen isWide title={words.entry} onClose={() => setOpen(undefined)}>
          <Entry
            entry={open}
            nameOf={nameOf}
            onLook={(part) => {
              setOpen(undefined);
              look(part);
            }}
          />
        </Dialog>
      )}
    </Page>
  );
}

interface RowsProps {
  entries: AuditEntryView[];
  nameOf: (id: string) => string;
  onOpen: (entry: AuditEntryView) => void;
  onClear: () => void;
  /** No filter is active. */
  isAll: boolean;
}

function Rows({ entries, nameOf, onOpen, onClear, isAll }: RowsProps) {
  const words = useWords(auditWords);
  const actionName = useActionName();
  const empty = isAll ? (
    <Empty icon={<Book />} title={words.none}>
      {words.noneText}
    </Empty>
  ) : (
    <Empty title={words.noMatch} action={<Button onPress={onClear}>{words.clear}</Button>}>
      {words.noMatchText}
    </Empty>
  );
  return (
    <Table
      label={words.title}
      rows={entries}
      rowId={({ id }) => id}
      onOpen={onOpen}
      empty={empty}
      columns={[
        {
          id: 'action',
          title: words.action,
          cell: ({ action }) => <span title={action}>{actionName(action)}</span>,
        },
        { id: 'who', title: words.who, cell: (entry) => nameOf(actorKey(entry)) },
        { id: 'object', title: words.object, cell: (entry) => nameOf(entry.object_id) },
        { id: 'from', title: words.from, isMinor: true, cell: ({ ip }) => <code>{ip ?? '–'}</code> },
        { id: 'time', title: words.time, cell: (entry) => <Time at={entry.created_at} /> },
      ]}
    />
  );
}

interface EntryProps {
  entry: AuditEntryView;
  nameOf: (id: string) => string;
  onLook: (part: AuditSearch) => void;
}

function Entry({ entry, nameOf, onLook }: EntryProps) {
  const words = useWords(auditWords);
  const actionName = useActionName();
  const { language } = usePreferences();
  return (
    <>
      <Facts>
        <Fact name={words.action}>
          {actionName(entry.action)} <code>{entry.action}</code>
        </Fact>
        <Fact name={words.who}>{nameOf(actorKey(entry))}</Fact>
        <Fact name={words.object}>
          {nameOf(entry.object_id)} <code>{entry.object_id}</code>
        </Fact>
        <Fact name={words.time}>{formatInstant(language, entry.created_at)}</Fact>
        <Fact name={words.from}>
          <code>{entry.ip ?? '–'}</code>
        </Fact>
      </Facts>
      <Changes changes={entry.changes} />
      <FormActions>
        <Button onPress={() => onLook({ who: actorKey(entry) })}>{words.allBy}</Button>
        <Button onPress={() => onLook({ on: entry.object_id })}>{words.allOn}</Button>
      </FormActions>
    </>
  );
}
