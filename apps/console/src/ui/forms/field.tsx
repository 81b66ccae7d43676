import { Input, Label, Text, TextArea, TextField } from 'react-aria-components';
import type { TextFieldProps } from 'react-aria-components';
import { Fault } from './fault.js';
import styles from './field.module.css';

interface FieldProps extends Omit<TextFieldProps, 'children'> {
  label: string;
  /** Below the field: what is expected, where it comes from. */
  hint?: string;
  placeholder?: string;
  /** Lines; more than one makes it a text area. */
  rows?: number;
  /** For what is read letter by letter: addresses, tokens, code. */
  isCode?: boolean;
}

/** A labelled text field. What is wrong with it comes from the form, by its `name`. */
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
