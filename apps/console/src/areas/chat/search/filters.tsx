import type { ConversationView } from '@tieline/sdk/api';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { formatDay } from '../../../ui/data/formats.js';
import { DateField } from '../../../ui/forms/date-field.js';
import { Finder } from '../../../ui/forms/finder.js';
import { useNames } from '../names.js';
import { FilterChip } from './filter-chip.js';
import { PARTS } from './message-search.js';
import type { MessageSearch } from './message-search.js';
import styles from './search.module.css';
import { searchWords } from './words.js';

interface FiltersProps {
  search: MessageSearch;
  conversations: readonly ConversationView[];
  onChange: (part: MessageSearch) => void;
}

/** The filters of the search as chips. A chip without a value asks for one. */
export function Filters({ search, conversations, onChange }: FiltersProps) {
  const words = useWords(searchWords);
  const names = useNames();
  const place = conversations.find(({ id }) => id === search.in);
  return (
    <div className={styles.chips} role="group" aria-label={words.filters}>
      <FilterChip
        label={words.in}
        value={search.in && (place ? names.conversation(place) : `…${search.in.slice(-6)}`)}
        onClear={() => onChange({ in: undefined })}
      >
        {(close) => (
          <Pick
            label={words.inLabel}
            options={conversations.map((one) => ({ id: one.id, label: names.conversation(one) }))}
            onPick={(id) => (onChange({ in: id }), close())}
          />
        )}
      </FilterChip>
      <FilterChip
        label={words.from}
        value={search.from && names.of(search.from)}
        onClear={() => onChange({ from: undefined })}
      >
        {(close) => (
          <Pick
            label={words.fromLabel}
            options={names.all.map(({ id, name, isBot }) => ({
              id,
              label: name,
              ...(isBot && { hint: words.bot }),
            }))}
            onPick={(id) => (onChange({ from: id }), close())}
          />
        )}
      </FilterChip>
      <DayChip
        label={words.after}
        question={words.afterLabel}
        value={search.after}
        onChange={(after) => onChange({ after })}
      />
      <DayChip
        label={words.before}
        question={words.beforeLabel}
        value={search.before}
        onChange={(before) => onChange({ before })}
      />
      <FilterChip
        label={words.has}
        value={search.has && words[search.has]}
        onClear={() => onChange({ has: undefined })}
      >
        {(close) => (
          <div className={styles.choices}>
            {PARTS.map((has) => (
              <Button key={has} kind="quiet" onPress={() => (onChange({ has }), close())}>
                {words[has]}
              </Button>
            ))}
          </div>
        )}
      </FilterChip>
      {search.thread !== undefined && (
        <FilterChip label={words.thread} value="" onClear={() => onChange({ thread: undefined })} />
      )}
    </div>
  );
}

interface PickProps {
  label: string;
  options: readonly { id: string; label: string; hint?: string }[];
  onPick: (id: string) => void;
}

function Pick({ label, options, onPick }: PickProps) {
  return (
    <Finder label={label} value="" options={options} onChange={(id) => id !== '' && onPick(id)} autoFocus />
  );
}

interface DayChipProps {
  label: string;
  question: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}

function DayChip({ label, question, value, onChange }: DayChipProps) {
  const { language } = usePreferences();
  return (
    <FilterChip
      label={label}
      value={value && formatDay(language, `${value}T00:00:00`)}
      onClear={() => onChange(undefined)}
    >
      {(close) => <Day question={question} value={value} onDone={(day) => (onChange(day), close())} />}
    </FilterChip>
  );
}

interface DayProps {
  question: string;
  value: string | undefined;
  onDone: (day: string | undefined) => void;
}

function Day({ question, value = '', onDone }: DayProps) {
  const words = useWords(searchWords);
  const [day, setDay] = useState(value);
  const done = (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onDone(day || undefined);
  };
  return (
    <form
      className={styles.day}
      onSubmit={done}
      // Parts of a date handle Enter themselves.
      onKeyDownCapture={(event) => event.key === 'Enter' && isDatePart(event.target) && done(event)}
    >
      <DateField label={question} value={day} onChange={setDay} autoFocus />
      <Button type="submit" kind="primary" isSmall>
        {words.apply}
      </Button>
    </form>
  );
}

const isDatePart = (target: EventTarget): boolean =>
  target instanceof Element && target.matches('[role=spinbutton]');
