import { useState } from 'react';
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { useWords } from '../../language/use-words.js';
import { uiWords } from '../words.js';
import { Fault } from './fault.js';
import styles from './field.module.css';
import own from './finder.module.css';

interface SearchResult {
  id: string;
  label: string;
  hint?: string;
}

interface FinderProps {
  label: string;
  /** Hides the label where the context already shows it. */
  isBare?: boolean;
  name?: string | undefined;
  value: string;
  onChange: (id: string) => void;
  options: readonly SearchResult[];
  placeholder?: string | undefined;
  isRequired?: boolean | undefined;
  /** Whether typed text is accepted without a selected option. */
  isFree?: boolean;
  /** Called while the user types, if options are loaded elsewhere. */
  onTyped?: (typed: string) => void;
  error?: string | undefined;
  hint?: string | undefined;
  isDisabled?: boolean;
  autoFocus?: boolean;
}

/** A combo box that filters a list by name. */
export function Finder(props: FinderProps) {
  const { label, value, options, onChange, onTyped } = props;
  const words = useWords(uiWords);
  const chosen = options.find(({ id }) => id === value);
  const [typed, setTyped] = useState(chosen?.label ?? value);
  const isElsewhere = onTyped !== undefined;
  const wanted = typed.trim().toLowerCase();
  const shown =
    isElsewhere || chosen?.label === typed
      ? options
      : options.filter((option) => option.label.toLowerCase().includes(wanted));
  return (
    <ComboBox
      className={styles.field}
      aria-label={props.isBare ? label : undefined}
      name={props.name}
      isRequired={props.isRequired}
      isDisabled={props.isDisabled}
      autoFocus={props.autoFocus}
      isInvalid={props.error === undefined ? undefined : true}
      items={shown}
      inputValue={typed}
      menuTrigger="focus"
      allowsEmptyCollection={isElsewhere}
      allowsCustomValue={props.isFree === true}
      selectedKey={chosen ? value : null}
      onInputChange={(text) => {
        setTyped(text);
        onTyped?.(text);
        if (props.isFree || text === '')
          onChange(options.find((option) => option.label === text)?.id ?? text.trim());
      }}
      onSelectionChange={(key) => {
        if (key === null) return;
        onChange(String(key));
        setTyped(options.find(({ id }) => id === key)?.label ?? String(key));
      }}
    >
      {!props.isBare && <Label className={styles.label}>{label}</Label>}
      <Input className={styles.input} placeholder={props.placeholder} />
      {props.hint && (
        <Text slot="description" className={styles.hint}>
          {props.hint}
        </Text>
      )}
      <Fault>{props.error}</Fault>
      <Popover className={styles.popover}>
        <ListBox<SearchResult> renderEmptyState={() => <span className={own.none}>{words.noMatch}</span>}>
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className={styles.option}>
              <Text slot="label">{option.label}</Text>
              {option.hint && <Text slot="description">{option.hint}</Text>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
