import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
} from 'react-aria-components';
import { Fault } from './fault.js';
import styles from './field.module.css';
import { ChevronDown } from '../icons.js';

/** An option. */
interface Option<Id extends string> {
  id: Id;
  label: string;
  /** A second, less prominent line. */
  hint?: string;
}

interface SelectProps<Id extends string> {
  label: string;
  name?: string;
  hint?: string;
  /** Shown while nothing is selected. */
  placeholder?: string;
  value: Id;
  options: readonly Option<Id>[];
  onChange: (chosen: Id) => void;
  isDisabled?: boolean;
}

/** Selects one option of a list. For up to three short ones use `Choice`. */
export function Select<Id extends string>({
  label,
  name,
  hint,
  placeholder,
  value,
  options,
  onChange,
  isDisabled,
}: SelectProps<Id>) {
  return (
    <AriaSelect
      name={name}
      isDisabled={isDisabled}
      placeholder={placeholder}
      className={styles.field}
      value={value}
      onChange={(chosen) => onChange(chosen as Id)}
    >
      <Label className={styles.label}>{label}</Label>
      <Button className={styles.trigger}>
        <SelectValue className={styles.value} />
        <ChevronDown />
      </Button>
      {hint && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <Fault />
      <Popover className={styles.popover}>
        <ListBox items={options}>
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className={styles.option}>
              <Text slot="label">{option.label}</Text>
              {option.hint && <Text slot="description">{option.hint}</Text>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
