import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import styles from './choice.module.css';

interface ChoiceProps<Id extends string> {
  label: string;
  value: Id;
  options: readonly { id: Id; label: string }[];
  onChange: (chosen: Id) => void;
  /** Shows the label above the options instead of only to screen readers. */
  isLabelled?: boolean;
}

/** Two to four short options next to each other. One is always selected. */
export function Choice<Id extends string>({ label, value, options, onChange, isLabelled }: ChoiceProps<Id>) {
  const group = (
    <ToggleButtonGroup
      aria-label={label}
      className={styles.group}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        for (const key of keys) onChange(key as Id);
      }}
    >
      {options.map((option) => (
        <ToggleButton key={option.id} id={option.id} className={styles.choice}>
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
  if (!isLabelled) return group;
  return (
    <div className={styles.labelled}>
      <span aria-hidden>{label}</span>
      {group}
    </div>
  );
}
