import { useMemo, useState } from 'react';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Failure } from '../../../ui/page/failure.js';
import { firstValues, readForm, sentValues } from '../modal/form.js';
import type { Values } from '../modal/form.js';
import styles from '../modal/modal-dialog.module.css';
import { ModalInput } from '../modal/modal-input.js';
import { approvalWords } from './words.js';

interface FormDialogProps {
  /** A validated modal. */
  form: unknown;
  conversationId: string;
  submitLabel: string;
  /** Errors of the last submission, by field id. */
  errors: Readonly<Record<string, string>>;
  /** Any other failure of it. */
  error: unknown;
  isPending: boolean;
  onClose: () => void;
  onSubmit: (values: Record<string, unknown>) => void;
}

/** The form of an approval. Stays open with its values until they are accepted. */
export function FormDialog(props: FormDialogProps) {
  const { conversationId, submitLabel, errors, error, isPending, onClose, onSubmit } = props;
  const words = useWords(approvalWords);
  const form = useMemo(() => readForm(props.form), [props.form]);
  const [values, setValues] = useState<Values>(() => firstValues(form));
  return (
    <Dialog title={form.title} isOpen onClose={onClose}>
      <Form onSubmit={() => onSubmit({ ...sentValues(form, values) })}>
        {error != null && <Failure failure={error} />}
        <div className={styles.fields}>
          {form.fields.map((field, index) => (
            <div
              key={field.id}
              className={styles.field}
              data-wrong={errors[field.id] === undefined ? undefined : ''}
              data-required={field.isRequired ? '' : undefined}
            >
              <ModalInput
                field={field}
                token=""
                conversationId={conversationId}
                value={values[field.id]}
                onChange={(value) => setValues((before) => ({ ...before, [field.id]: value }))}
                error={errors[field.id]}
                isFirst={index === 0}
              />
            </div>
          ))}
        </div>
        <FormActions>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isPending={isPending}>
            {form.submitLabel || submitLabel}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
