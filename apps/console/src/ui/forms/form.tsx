import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { Form as AriaForm } from 'react-aria-components';
import { fieldErrors } from '../../app/api/failure.js';
import { Failure } from '../page/failure.js';
import styles from './form.module.css';

interface FormProps {
  children: ReactNode;
  onSubmit: () => void;
  /** What the last submit failed with. An error with a `field` is shown at the field of that `name`, any other above the form. */
  error?: unknown;
  /** Says better than the server what is wrong, by the name of the field; undefined leaves it to the server. */
  explain?: (error: unknown) => Record<string, string> | undefined;
}

/** A form whose errors come from the server as well as from the browser. A field's error goes when the field changes. */
export function Form({ children, onSubmit, error, explain }: FormProps) {
  // The same object until another error comes: a new one would bring back what went with a change.
  const errors = useMemo(() => explain?.(error) ?? fieldErrors(error), [error]);
  return (
    <AriaForm
      className={styles.form}
      validationErrors={errors}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {error != null && Object.keys(errors).length === 0 && <Failure failure={error} />}
      {children}
    </AriaForm>
  );
}

/** The buttons at the end of a form. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
