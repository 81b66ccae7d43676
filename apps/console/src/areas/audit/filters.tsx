import type { AuditEntryView } from '@tieline/sdk/api';
import { usePeople } from '../../api/directory.js';
import { isAdmin } from '../../app/session/is-admin.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Select } from '../../ui/forms/select.js';
import { useActionName } from './action-name.js';
import { actionWords } from './action-words.js';
import { actorKey, KINDS, SPANS } from './audit-search.js';
import type { AuditSearch } from './audit-search.js';
import styles from './audit.module.css';
import { auditWords } from './words.js';

interface FiltersProps {
  search: AuditSearch;
  entries: readonly AuditEntryView[];
  nameOf: (id: string) => string;
  onLook: (part: AuditSearch) => void;
}

/** Filters of the log. The server applies them. */
export function Filters({ search, entries, nameOf, onLook }: FiltersProps) {
  const words = useWords(auditWords);
  const actionName = useActionName();
  const { kind } = search;
  const people = usePeople().data ?? [];
  const actors = distinct([
    ...people.filter(({ role }) => isAdmin(role)).map(({ id }) => id),
    'operator',
    'system',
    ...entries.map(actorKey),
    ...(search.who ? [search.who] : []),
  ]);
  const actions = Object.keys(actionWords.en).filter((id) => !kind || id.startsWith(`${kind}.`));
  const isAction = (id: string) => !kind || !id || id.startsWith(`${kind}.`);
  return (
    <div className={styles.filters} role="group" aria-label={words.filters}>
      <Select
        label={words.who}
        value={search.who ?? ''}
        options={[{ id: '', label: words.anybody }, ...actors.map((id) => ({ id, label: nameOf(id) }))]}
        onChange={(who) => onLook({ who: who || undefined })}
      />
      <Select
        label={words.area}
        value={kind ?? ''}
        options={[
          { id: '' as const, label: words.anything },
          ...KINDS.map((id) => ({ id, label: words[id] })),
        ]}
        onChange={(chosen) => onLook({ kind: chosen || undefined, action: undefined })}
      />
      <Select
        label={words.action}
        value={search.action ?? ''}
        options={[
          { id: '', label: words.anyAction },
          ...distinct([...actions, ...(search.action ? [search.action] : [])])
            .filter(isAction)
            .map((id) => ({ id, label: actionName(id) })),
        ]}
        onChange={(action) => onLook({ action: action || undefined })}
      />
      <Select
        label={words.time}
        value={search.span ?? ''}
        options={[
          { id: '' as const, label: words.anyTime },
          ...(Object.keys(SPANS) as (keyof typeof SPANS)[]).map((id) => ({ id, label: words[id] })),
        ]}
        onChange={(span) => onLook({ span: span || undefined })}
      />
      {search.on && (
        <div className={styles.on}>
          {words.onlyOn(nameOf(search.on))}
          <Button isSmall onPress={() => onLook({ on: undefined })}>
            {words.onAll}
          </Button>
        </div>
      )}
    </div>
  );
}

const distinct = (all: readonly string[]): string[] => [...new Set(all)];
