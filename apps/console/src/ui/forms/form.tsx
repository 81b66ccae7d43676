import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Form as AriaForm } from 'react-aria-components';
import { ApiFailure, fieldErrors } from '../../app/api/failure.js';
import { useWords } from '../../app/words/use-words.js';
import { failureText } from '../page/failure-text.js';
import { Failure } from '../page/failure.js';
import { uiWords } from '../words.js';
import styles from './form.module.css';

const NONE = {};

interface FormProps {
  children: ReactNode;
  onSubmit: () => void;
  /**
   * What the last submit failed with. An error with a `field` is shown at the field of that `name`,
   * any other above the form.
   */
  error?: unknown;
  /**
   * Says better than the server what is wrong, by the name of the field; undefined leaves it to the
   * server.
   */
  explain?: (error: unknown) => Record<string, string> | undefined;
}

/**
 * A form whose errors come from the server as well as from the browser. A field's error goes when
 * the field changes.
 */
export function Form({ children, onSubmit, error, explain }: FormProps) {
  const words = useWords(uiWords);
  // The same object until another error comes: a new one would bring back what went with a change.
  const errors = useMemo(() => explain?.(error) ?? explained(error, words), [error, words]);
  // React Aria itself would drop an error only when the field is left, so that the first click on
  // the button did nothing else.
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
 * Of several faults each has its own text; of one it is said in the reader's language, where that
 * is known.
 */
function explained(error: unknown, words: (typeof uiWords)['en']): Record<string, string> {
  const errors = fieldErrors(error);
  if (!(error instanceof ApiFailure) || error.errors) return errors;
  return Object.fromEntries(Object.keys(errors).map((name) => [name, failureText(error, words)]));
}

/**
 * What the browser found wrong goes once it is right, not when the field is left: the button would
 * move away from under the pointer that leaves it for it.
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
