import { Checkbox as AriaCheckbox, CheckboxGroup, Label, Text } from 'react-aria-components';
import type { CheckboxProps as AriaCheckboxProps } from 'react-aria-components';
import type { ReactNode } from 'react';
import { Fault } from './fault.js';
import styles from './checkbox.module.css';
import field from './field.module.css';
import { Check } from '../icons.js';

interface CheckboxProps extends Omit<AriaCheckboxProps, 'children'> {
  children: ReactNode;
  hint?: string;
}

/** A checkbox. */
export function Checkbox({ children, hint, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox {...rest} className={styles.checkbox}>
      <span className={styles.box} aria-hidden>
        <Check size={12} />
      </span>
      <span>
        {children}
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
    </AriaCheckbox>
  );
}

interface CheckboxesProps<Id extends string> {
  label: string;
  name?: string;
  hint?: string;
  value: readonly Id[];
  options: readonly { id: Id; label: string }[];
  onChange: (chosen: Id[]) => void;
}

/** A group of checkboxes. */
export function Checkboxes<Id extends string>({
  label,
  name,
  hint,
  value,
  options,
  onChange,
}: CheckboxesProps<Id>) {
  return (
    <CheckboxGroup
      name={name}
      className={field.field}
      value={[...value]}
      onChange={(chosen) => onChange(chosen as Id[])}
    >
      <Label className={field.label}>{label}</Label>
      {hint && (
        <Text slot="description" className={field.hint}>
          {hint}
        </Text>
      )}
      <div className={styles.list}>
        {options.map((option) => (
          <Checkbox key={option.id} value={option.id}>
            {option.label}
          </Checkbox>
        ))}
      </div>
      <Fault />
    </CheckboxGroup>
  );
}
