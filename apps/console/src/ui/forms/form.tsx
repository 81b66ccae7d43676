import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Form as AriaForm } from 'react-aria-components';
import { ApiFailure, fieldErrors } from '../../api/failure.js';
import { useWords } from '../../language/use-words.js';
import { failureText, textAtField } from '../page/failure-text.js';
import { Failure } from '../page/failure.js';
import { uiWords } from '../words.js';
import styles from './form.module.css';

const NONE = {};

interface FormProps {
  children: ReactNode;
  onSubmit: () => void;
  /**
   * Error of the last submit. An error with a `field` is shown at the field with that `name`, other
   * errors above the form.
   */
  error?: unknown;
  /** Replaces the server's error texts by field name. Undefined keeps them. */
  explain?: (error: unknown) => Record<string, string> | undefined;
}

/** A form with errors from the browser and the server. Changing a field removes its error. */
export function Form({ children, onSubmit, error, explain }: FormProps) {
  const words = useWords(uiWords);
  // Stable until another error arrives. A new object would restore errors that a change removed.
  const errors = useMemo(() => explain?.(error) ?? explained(error, words), [error, words]);
  // React Aria removes an error only when the field loses focus, so the first click on the button
  // would do nothing else.
  const [answered, setAnswered] = useState<unknown>();
  return (
    <AriaForm
      validationErrors={error === answered ? NONE : errors}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div
        className={styles.form}
        onInput={({ target }) => {
          setAnswered(error);
          judgeAgain(target);
        }}
      >
        {error != null && Object.keys(errors).length === 0 && <Failure failure={error} />}
        {children}
      </div>
    </AriaForm>
  );
}

/**
 * Several errors keep their own texts. A single error is shown in the user's language if it is
 * known.
 */
function explained(error: unknown, words: (typeof uiWords)['en']): Record<string, string> {
  const isSingle = error instanceof ApiFailure && !error.errors;
  return Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([name, text]) => [
      name,
      isSingle ? failureText(error, words, { isAtField: true }) : textAtField(text, name),
    ]),
  );
}

/**
 * Removes a browser error as soon as the value is valid, not when the field loses focus. Otherwise
 * the button would move while it is being clicked.
 */
function judgeAgain(field: EventTarget): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  if (field.ariaInvalid === 'true' && field.validity.valid)
    field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** The buttons at the end of a form. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
