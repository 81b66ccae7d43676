import { openDmAsPerson } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { ApiFailure } from '../../../api/failure.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Failure } from '../../../ui/page/failure.js';
import { Note } from '../../../ui/page/note.js';
import { text } from '../blocks/metadata.js';
import { useReadable } from '../conversations/use-readable.js';
import { sendAction, submitView, suggestOptions } from './app-api.js';
import type { AppView, Submitted } from './app-api.js';
import { AppBlocks } from './app-blocks.js';
import { numberFaults } from './number.js';
import { conversationId } from './slack-ids.js';
import { sentState, statefulElements } from './state.js';
import { useSurfaceState } from './use-surface-state.js';
import { appWords } from './words.js';

const NO_ERRORS = {};

/** Connects the blocks of a view to the app. Files are uploaded to the chat with its bot. */
export function useViewSurface(view: AppView, errors: Readonly<Record<string, string>> = NO_ERRORS) {
  const client = useApi();
  const { conversationId: openId } = useParams({ strict: false });
  const here = useReadable().find(({ id }) => id === openId);
  const owner = `views/${view.id}` as const;
  return useSurfaceState({
    id: owner,
    blocks: view.blocks,
    errors,
    ...(view.state?.values && { stored: view.state.values }),
    conversation: here && conversationId(here),
    send: (body) => sendAction(client, owner, body),
    suggest: (body) => suggestOptions(client, owner, body),
    fileConversation: async () =>
      (await openDmAsPerson({ client, body: { user_id: view.bot_id } })).conversation_id,
  });
}

interface ViewDialogProps {
  view: AppView;
  onAnswer: (answer: Submitted) => void;
  onClose: (isCleared: boolean) => void;
}

/** A modal of an app. Stays open with its values until the app accepts them. */
export function ViewDialog({ view, onAnswer, onClose }: ViewDialogProps) {
  const words = useWords(appWords);
  const client = useApi();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>(NO_ERRORS);
  const surface = useViewSurface(view, errors);
  const fields = useFirstWrong(errors);
  const submit = useMutation({
    mutationFn: () => submitView(client, view.id, sentState(surface.state)),
    onSuccess: (answer) => {
      setErrors(answer.result === 'errors' ? (answer.errors ?? NO_ERRORS) : NO_ERRORS);
      onAnswer(answer);
    },
    onError: (failure) => {
      if (failure instanceof ApiFailure && failure.errors) setErrors(failure.errors);
    },
  });
  const known = new Set(statefulElements(view.blocks).map(({ blockId }) => blockId));
  const others = Object.entries(errors).filter(([blockId]) => !known.has(blockId));
  const isExplained = submit.error instanceof ApiFailure && submit.error.errors !== undefined;
  const hasForm = text(view.submit) !== '' || view.blocks.some(({ type }) => type === 'input');
  return (
    <Dialog title={text(view.title)} isOpen onClose={() => onClose(true)}>
      <Form
        onSubmit={() => {
          const faults = numberFaults(view.blocks, surface.state, words);
          setErrors(faults);
          if (Object.keys(faults).length === 0) submit.mutate();
        }}
      >
        {submit.error && !isExplained && <Failure failure={submit.error} />}
        {others.length > 0 && <Note kind="bad">{others.map(([, error]) => error).join(' ')}</Note>}
        <div ref={fields}>
          <AppBlocks
            blocks={view.blocks}
            surface={{
              ...surface,
              change: (place, value) => {
                surface.change(place, value);
                setErrors(({ [place.blockId]: _mended, ...rest }) => rest);
              },
            }}
          />
        </div>
        <FormActions>
          <Button onPress={() => onClose(false)}>{text(view.close) || words.close}</Button>
          {hasForm && (
            <Button kind="primary" type="submit" isPending={submit.isPending}>
              {text(view.submit) || words.submit}
            </Button>
          )}
        </FormActions>
      </Form>
    </Dialog>
  );
}

/** Moves the focus to the first invalid field when errors arrive. */
function useFirstWrong(errors: Readonly<Record<string, string>>) {
  const fields = useRef<HTMLDivElement>(null);
  const seen = useRef(errors);
  useEffect(() => {
    const isNew = Object.keys(errors).length > Object.keys(seen.current).length;
    seen.current = errors;
    if (!isNew) return;
    const wrong = [...(fields.current?.querySelectorAll<HTMLElement>('[data-block]') ?? [])].find(
      ({ dataset }) => errors[dataset.block ?? ''] !== undefined,
    );
    wrong?.querySelector<HTMLElement>('input, textarea, button, [tabindex="0"]')?.focus();
  }, [errors]);
  return fields;
}
