import { submitModalAsPerson } from '@tieline/sdk/api';
import type { InteractionAnswer } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { ApiFailure, fieldErrors } from '../../../api/failure.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Failure } from '../../../ui/page/failure.js';
import { Note } from '../../../ui/page/note.js';
import { blockWords } from '../blocks/words.js';
import { useRoom } from '../live/rooms-context.js';
import { firstValues, readForm, sentValues } from './form.js';
import type { Values } from './form.js';
import styles from './modal-dialog.module.css';
import { ModalInput } from './modal-input.js';
import type { OpenModal } from './stack.js';

interface ModalDialogProps {
  open: OpenModal;
  onSubmit: () => void;
  /** Called when the bot answers through the stream, possibly before the response. */
  onQueued: () => void;
  onFailure: () => void;
  onAnswer: (answer: InteractionAnswer) => void;
  onClose: () => void;
}

/** A bot's form. Stays open with its values until the bot accepts them. */
export function ModalDialog({ open, onSubmit, onQueued, onFailure, onAnswer, onClose }: ModalDialogProps) {
  const words = useWords(blockWords);
  const client = useApi();
  const room = useRoom(open.conversationId);
  const form = useMemo(() => readForm(open.modal), [open.modal]);
  const [values, setValues] = useState<Values>(() => firstValues(form));
  // Fields changed since the errors arrived. Their errors are hidden.
  const [mended, setMended] = useState<{ of: object; ids: ReadonlySet<string> }>();
  const submit = useMutation({
    mutationFn: () =>
      submitModalAsPerson({
        client,
        path: { modal_token: open.token },
        body: { values: sentValues(form, values) },
      }),
    onMutate: onSubmit,
    onError: onFailure,
    onSuccess: (answer) => {
      if (answer.result === 'queued') return onQueued();
      if (answer.result === 'ephemeral') room.whisper({ text: answer.ephemeral_text ?? '' });
      onAnswer(answer);
    },
  });
  const refusals = submit.error instanceof ApiFailure ? submit.error.errors : undefined;
  const source = Object.keys(open.errors).length > 0 ? open.errors : (refusals ?? open.errors);
  const errors = Object.fromEntries(
    Object.entries(source).filter(([id]) => !(mended?.of === source && mended.ids.has(id))),
  );
  const fields = useFirstWrong(source);
  const known = new Set(form.fields.map(({ id }) => id));
  const others = Object.entries(errors).filter(([id]) => !known.has(id));
  const isGone = submit.error instanceof ApiFailure && submit.error.status === 410;
  const isAwaiting = open.submission === 'queued';
  const change = (id: string, value: unknown) => {
    setValues((before) => ({ ...before, [id]: value }));
    setMended((before) => ({
      of: source,
      ids: new Set([...(before?.of === source ? before.ids : []), id]),
    }));
  };
  return (
    <Dialog title={form.title} isOpen onClose={onClose}>
      <Form onSubmit={() => submit.mutate()}>
        {isGone && <Note kind="bad">{words.formGone}</Note>}
        {submit.error && !refusals && !isGone && Object.keys(fieldErrors(submit.error)).length === 0 && (
          <Failure failure={submit.error} />
        )}
        {others.length > 0 && <Note kind="bad">{others.map(([, error]) => error).join(' ')}</Note>}
        <div ref={fields} className={styles.fields}>
          {form.fields.map((field, index) => (
            <div
              key={field.id}
              className={styles.field}
              data-wrong={errors[field.id] === undefined ? undefined : ''}
              data-required={field.isRequired ? '' : undefined}
            >
              <ModalInput
                field={field}
                token={open.token}
                conversationId={open.conversationId}
                value={values[field.id]}
                onChange={(value) => change(field.id, value)}
                error={errors[field.id]}
                isFirst={index === 0}
              />
            </div>
          ))}
        </div>
        {isAwaiting && <Note kind="info">{words.awaiting}</Note>}
        <FormActions>
          <Button onPress={onClose}>{form.closeLabel || words.close}</Button>
          <Button kind="primary" type="submit" isPending={submit.isPending || isAwaiting} isDisabled={isGone}>
            {form.submitLabel || words.submit}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

/** Scrolls to the first invalid field when errors arrive. */
function useFirstWrong(errors: object) {
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    const first = fields.current?.querySelector('[data-wrong]');
    first?.querySelector<HTMLElement>('input, textarea, button, [tabindex="0"]')?.focus();
  }, [errors]);
  return fields;
}
