import { Input, Label, Text, TextArea, TextField } from 'react-aria-components';
import type { TextFieldProps } from 'react-aria-components';
import { Fault } from './fault.js';
import styles from './field.module.css';

interface FieldProps extends Omit<TextFieldProps, 'children'> {
  label: string;
  /** Shown below the field: expected values or their source. */
  hint?: string;
  placeholder?: string;
  /** Number of lines. More than one creates a text area. */
  rows?: number;
  /** Uses a monospaced font, for addresses, tokens and code. */
  isCode?: boolean;
}

/** A labeled text field. Its errors come from the form, by `name`. */
export function Field({ label, hint, placeholder, rows = 1, isCode, ...rest }: FieldProps) {
  const look = [styles.input, isCode && styles.code].filter(Boolean).join(' ');
  return (
    <TextField {...rest} className={styles.field}>
      <Label className={styles.label}>{label}</Label>
      {rows > 1 ? (
        <TextArea className={look} rows={rows} placeholder={placeholder} />
      ) : (
        <Input className={look} placeholder={placeholder} />
      )}
      {hint && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <Fault />
    </TextField>
  );
}
