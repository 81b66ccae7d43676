import type { AuditEntryView } from '@tieline/sdk/api';
import { useWords } from '../../app/words/use-words.js';
import { Field } from '../../ui/forms/field.js';
import { Select } from '../../ui/forms/select.js';
import { actorKey } from './audit-filters.js';
import type { AuditSearch } from './audit-filters.js';
import styles from './audit.module.css';
import { auditWords } from './words.js';

interface FiltersProps {
  search: AuditSearch;
  entries: readonly AuditEntryView[];
  nameOf: (id: string) => string;
  onLook: (part: AuditSearch) => void;
}

/** Narrows the log to somebody, to an area, to a text. Whatever occurs can be chosen. */
export function Filters({ search, entries, nameOf, onLook }: FiltersProps) {
  const words = useWords(auditWords);
  const actors = distinct(search.who, entries.map(actorKey));
  const areas = distinct(
    search.area,
    entries.map(({ action }) => action.split('.')[0] ?? ''),
  );
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
        value={search.area ?? ''}
        options={[
          { id: '', label: words.anything },
          ...areas.map((id) => ({ id, label: (words as Record<string, unknown>)[id]?.toString() ?? id })),
        ]}
        onChange={(area) => onLook({ area: area || undefined })}
      />
      <Field
        label={words.text}
        value={search.text ?? ''}
        onChange={(text) => onLook({ text: text || undefined })}
      />
    </div>
  );
}

const distinct = (chosen: string | undefined, all: readonly string[]): string[] =>
  [...new Set([...(chosen ? [chosen] : []), ...all])].sort();
