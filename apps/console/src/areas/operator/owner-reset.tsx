import { regenerateUserTokenAsOperator } from '@tieline/sdk/api';
import type { SpaceView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../app/api/api-context.js';
import { useWords } from '../../app/words/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { SecretOnce } from '../../ui/data/secret.js';
import { Field } from '../../ui/forms/field.js';
import { Form, FormActions } from '../../ui/forms/form.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { uiWords } from '../../ui/words.js';
import { operatorWords } from './words.js';

/** Gives a person of a space a new token: the way back in for owners. */
export function OwnerReset({ space, onClose }: { space: SpaceView; onClose: () => void }) {
  const words = useWords(operatorWords);
  const ui = useWords(uiWords);
  const client = useApi();
  const [userId, setUserId] = useState('');
  const reset = useMutation({
    mutationFn: () =>
      regenerateUserTokenAsOperator({ client, path: { space_id: space.id, id: userId.trim() } }),
    gcTime: 0,
  });
  return (
    <Dialog isOpen isKept={!!reset.data} title={words.resetTitle(space.name)} onClose={onClose}>
      {reset.data ? (
        <>
          <SecretOnce name={words.token} value={reset.data.token} />
          <FormActions>
            <Button kind="primary" onPress={onClose}>
              {ui.done}
            </Button>
          </FormActions>
        </>
      ) : (
        <Form onSubmit={() => reset.mutate()} error={reset.error}>
          <p>{words.resetText}</p>
          <Field
            label={words.userId}
            name="id"
            hint={words.userIdHint}
            value={userId}
            onChange={setUserId}
            isRequired
            isCode
            autoFocus
          />
          <FormActions>
            <Button onPress={onClose}>{ui.cancel}</Button>
            <Button type="submit" kind="danger" isPending={reset.isPending}>
              {words.resetDo}
            </Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  );
}
