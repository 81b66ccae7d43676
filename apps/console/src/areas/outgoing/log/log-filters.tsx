import { useState } from 'react';
import { useWords } from '../../../app/words/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Field } from '../../../ui/forms/field.js';
import { Select } from '../../../ui/forms/select.js';
import { EVENT_TYPES } from '../settings/draft.js';
import { settingsWords } from '../settings/words.js';
import { isFiltered, SPANS, STATES } from './log-search.js';
import type { LogSearch, Span } from './log-search.js';
import styles from './log.module.css';
import { logWords } from './words.js';

interface LogFiltersProps {
  search: LogSearch;
  onLook: (part: LogSearch) => void;
}

/** Narrows the log; what is chosen goes into the address. */
export function LogFilters({ search, onLook }: LogFiltersProps) {
  const words = useWords(logWords);
  const events = useWords(settingsWords);
  const any = <T extends string>(label: string) => ({ id: '' as T | '', label });
  return (
    <div className={styles.filters} role="group" aria-label={words.filters}>
      <Select
        label={words.status}
        value={search.state ?? ''}
        options={[
          any<(typeof STATES)[number]>(words.anyState),
          ...STATES.map((id) => ({ id, label: words[id] })),
        ]}
        onChange={(state) => onLook({ state: state || undefined })}
      />
      <Select
        label={words.type}
        value={search.type ?? ''}
        options={[
          any<string>(words.anyType),
          ...[...EVENT_TYPES, 'WEBHOOK_TEST' as const].map((id) => ({ id, label: events[id] })),
        ]}
        onChange={(type) => onLook({ type: type || undefined })}
      />
      <Select
        label={words.time}
        value={search.span ?? ''}
        options={[
          any<Span>(words.anySpan),
          ...(Object.keys(SPANS) as Span[]).map((id) => ({ id, label: words[id] })),
        ]}
        onChange={(span) => onLook({ span: span || undefined })}
      />
      <CodeFilter search={search} onLook={onLook} />
      {isFiltered(search) && (
        <div className={styles.clear}>
          <Button
            kind="quiet"
            onPress={() => onLook({ state: undefined, type: undefined, code: undefined, span: undefined })}
          >
            {words.clear}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A status counts when its three digits are there, or when the field is left. */
function CodeFilter({ search, onLook }: LogFiltersProps) {
  const words = useWords(logWords);
  const [text, setText] = useState(search.code === undefined ? '' : String(search.code));
  const change = (typed: string) => {
    const digits = typed.replace(/\D/g, '').slice(0, 3);
    setText(digits);
    if (digits === '') onLook({ code: undefined });
    else if (/^[1-5]\d\d$/.test(digits)) onLook({ code: Number(digits) });
  };
  return (
    <Field
      label={words.code}
      placeholder={words.anyCode}
      inputMode="numeric"
      value={text}
      onChange={change}
    />
  );
}
