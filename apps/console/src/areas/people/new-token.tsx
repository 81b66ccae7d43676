import { regenerateUserTokenAsAdmin } from '@tieline/sdk/api';
import type { UserView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { SecretOnce } from '../../ui/data/secret.js';
import { FormActions } from '../../ui/forms/form.js';
import { Confirm } from '../../ui/overlays/confirm.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { uiWords } from '../../ui/words.js';
import { peopleWords } from './words.js';

/** Asks for confirmation, then replaces a person's token. */
export function NewToken({ person, onClose }: { person: UserView; onClose: () => void }) {
  const words = useWords(peopleWords);
  const ui = useWords(uiWords);
  const client = useApi();
  const renew = useMutation({
    mutationFn: () => regenerateUserTokenAsAdmin({ client, path: { id: person.id } }),
    gcTime: 0,
  });
  if (!renew.data)
    return (
      <Confirm
        isOpen
        title={words.tokenTitle(person.display_name)}
        action={words.tokenDo}
        onClose={onClose}
        onConfirm={() => renew.mutate()}
        isPending={renew.isPending}
        error={renew.error}
      >
        {words.tokenText}
      </Confirm>
    );
  return (
    <Dialog isOpen isKept title={person.display_name} onClose={onClose}>
      <SecretOnce name={words.tokenName} value={renew.data.token} />
      <FormActions>
        <Button kind="primary" onPress={onClose}>
          {ui.done}
        </Button>
      </FormActions>
    </Dialog>
  );
}
