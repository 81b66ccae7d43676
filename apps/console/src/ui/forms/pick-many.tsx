import { useState } from 'react';
import { CheckboxGroup, Input, Label, SearchField, Text } from 'react-aria-components';
import { useWords } from '../../language/use-words.js';
import { uiWords } from '../words.js';
import { Checkbox } from './checkbox.js';
import { Fault } from './fault.js';
import field from './field.module.css';
import styles from './pick-many.module.css';

interface PickManyProps {
  label: string;
  name?: string;
  hint?: string;
  value: readonly string[];
  options: readonly { id: string; label: string }[];
  onChange: (chosen: string[]) => void;
  /** Shown if there are no options. */
  none: string;
}

/** Lists with more options get a search field. */
const MANY = 8;

/** Selects any number of options from a list. Selected ones come first. */
export function PickMany({ label, name, hint, value, options, onChange, none }: PickManyProps) {
  const words = useWords(uiWords);
  const [text, setText] = useState('');
  const [first] = useState(() => new Set(value));
  const wanted = text.trim().toLocaleLowerCase();
  const shown = options
    .filter((option) => option.label.toLocaleLowerCase().includes(wanted))
    .sort((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)));
  return (
    <CheckboxGroup name={name} className={field.field} value={[...value]} onChange={onChange}>
      <Label className={field.label}>{label}</Label>
      {hint && (
        <Text slot="description" className={field.hint}>
          {hint}
        </Text>
      )}
      <div className={styles.box}>
        {options.length > MANY && (
          <SearchField aria-label={words.searchIn(label)} value={text} onChange={setText}>
            <Input className={field.input} placeholder={words.search} />
          </SearchField>
        )}
        <div className={styles.list}>
          {shown.map((option) => (
            <Checkbox key={option.id} value={option.id}>
              {option.label}
            </Checkbox>
          ))}
          {shown.length === 0 && (
            <span className={field.hint}>{options.length === 0 ? none : words.noMatch}</span>
          )}
        </div>
      </div>
      <Fault />
    </CheckboxGroup>
  );
}
