import { regenerateUserTokenAsOperator } from '@tieline/sdk/api';
import type { SpaceView, UserView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { SecretOnce } from '../../ui/data/secret.js';
import { FormActions } from '../../ui/forms/form.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Failure } from '../../ui/page/failure.js';
import { uiWords } from '../../ui/words.js';
import { operatorWords } from './words.js';

interface PersonResetProps {
  space: SpaceView;
  person: UserView;
  onBack: () => void;
  onClose: () => void;
}

/** Creates a new token for a person of a space, for owners who lost theirs. */
export function PersonReset({ space, person, onBack, onClose }: PersonResetProps) {
  const words = useWords(operatorWords);
  const ui = useWords(uiWords);
  const client = useApi();
  const reset = useMutation({
    mutationFn: () => regenerateUserTokenAsOperator({ client, path: { space_id: space.id, id: person.id } }),
    gcTime: 0,
  });
  const title = words.resetTitle(person.display_name, space.name);
  return (
    <Dialog isOpen isKept={!!reset.data} title={title} onClose={onClose}>
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
        <>
          <p>{words.resetText}</p>
          {reset.error && <Failure failure={reset.error} />}
          <FormActions>
            <Button onPress={onBack} autoFocus>
              {ui.cancel}
            </Button>
            <Button kind="danger" onPress={() => reset.mutate()} isPending={reset.isPending}>
              {words.resetDo}
            </Button>
          </FormActions>
        </>
      )}
    </Dialog>
  );
}
