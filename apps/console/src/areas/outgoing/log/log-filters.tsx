import { SUBSCRIPTION_EVENT_TYPES } from '@tieline/sdk/api';
import { useRef, useState } from 'react';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { useEventName } from '../../../ui/deliveries/event-name.js';
import { InstantField } from '../../../ui/forms/date-field.js';
import { Field } from '../../../ui/forms/field.js';
import { Select } from '../../../ui/forms/select.js';
import { isFiltered, SPANS, STATES } from './log-search.js';
import type { LogSearch, Span } from './log-search.js';
import styles from './log.module.css';
import { logWords } from './words.js';

interface LogFiltersProps {
  search: LogSearch;
  onLook: (part: LogSearch) => void;
}

/** Filters of the log, kept in the address. */
export function LogFilters({ search, onLook }: LogFiltersProps) {
  const words = useWords(logWords);
  const nameOf = useEventName();
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
          ...[...SUBSCRIPTION_EVENT_TYPES, 'WEBHOOK_TEST' as const].map((id) => ({ id, label: nameOf(id) })),
        ]}
        onChange={(type) => onLook({ type: type || undefined })}
      />
      <TimeFilter search={search} onLook={onLook} />
      <CodeFilter search={search} onLook={onLook} />
      {isFiltered(search) && (
        <div className={styles.clear}>
          <Button
            kind="quiet"
            onPress={() => onLook({ state: undefined, type: undefined, code: undefined, ...ANY_TIME })}
          >
            {words.clear}
          </Button>
        </div>
      )}
    </div>
  );
}

const ANY_TIME = { span: undefined, from: undefined, until: undefined };

/** A period until now, or between two times, which apply once both are complete. */
function TimeFilter({ search, onLook }: LogFiltersProps) {
  const words = useWords(logWords);
  const [isBetween, setBetween] = useState(false);
  const hasEnds = search.from !== undefined || search.until !== undefined;
  const spans = Object.keys(SPANS) as Span[];
  return (
    <>
      <Select
        label={words.time}
        value={hasEnds || isBetween ? 'between' : (search.span ?? '')}
        options={[
          { id: '' as Span | 'between' | '', label: words.anySpan },
          ...spans.map((id) => ({ id, label: words[id] })),
          { id: 'between' as const, label: words.between },
        ]}
        onChange={(chosen) => {
          setBetween(chosen === 'between');
          onLook({ ...ANY_TIME, ...(chosen !== 'between' && { span: chosen || undefined }) });
        }}
      />
      {(hasEnds || isBetween) && (
        <>
          <EndOfTime label={words.from} value={search.from} onLook={(from) => onLook({ from })} />
          <EndOfTime label={words.until} value={search.until} onLook={(until) => onLook({ until })} />
        </>
      )}
    </>
  );
}

interface EndProps {
  label: string;
  value: string | undefined;
  onLook: (moment: string | undefined) => void;
}

function EndOfTime({ label, value, onLook }: EndProps) {
  const [entered, setEntered] = useState(value);
  const latest = useRef(value);
  return (
    <div className={styles.moment}>
      <InstantField
        label={label}
        value={entered}
        onChange={(moment) => {
          latest.current = moment;
          setEntered(moment);
        }}
        onDone={() => latest.current !== value && onLook(latest.current)}
      />
    </div>
  );
}

/** A status applies once it has three digits or the field loses focus. */
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
