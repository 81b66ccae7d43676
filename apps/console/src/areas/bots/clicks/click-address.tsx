import { updateInteractiveConfigAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView, InteractiveConfigAnswer } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { SecretOnce } from '../../../ui/data/secret.js';
import { Field } from '../../../ui/forms/field.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { uiWords } from '../../../ui/words.js';
import { clicksWords } from './words.js';

/** Sets the address. The first address creates the secret, which is shown once. */
export function ClickAddress({ bot, config }: { bot: AdminBotView; config: InteractiveConfigAnswer }) {
  const words = useWords(clicksWords);
  const ui = useWords(uiWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const [address, setAddress] = useState(config.callback_url);
  const reload = () => queries.invalidateQueries({ queryKey: ['bots', 'interactive', bot.id] });
  const save = useMutation({
    mutationFn: () =>
      updateInteractiveConfigAsAdmin({
        client,
        path: { id: bot.id },
        body: { callback_url: address.trim() },
      }),
    onSuccess: async ({ signing_secret: secret }) => {
      toast({ kind: 'good', text: words.saved });
      // Does not reload while a secret is shown, because that would hide it.
      if (secret === undefined) await reload();
    },
    gcTime: 0,
  });
  const secret = save.data?.signing_secret;
  return (
    <Form onSubmit={() => save.mutate()} error={save.error}>
      <Field
        label={words.address}
        name="callback_url"
        type="url"
        hint={words.addressHint}
        value={address}
        onChange={setAddress}
        isRequired
        isCode
      />
      <FormActions>
        <Button
          type="submit"
          kind="primary"
          isPending={save.isPending}
          isDisabled={address.trim() === config.callback_url}
        >
          {words.save}
        </Button>
      </FormActions>
      {secret !== undefined && (
        <Dialog isOpen isKept title={words.secretTitle} onClose={() => void reload()}>
          <p>{words.secretText}</p>
          <SecretOnce name={words.secret} value={secret} />
          <FormActions>
            <Button
              kind="primary"
              onPress={() => {
                save.reset();
                void reload();
              }}
            >
              {ui.done}
            </Button>
          </FormActions>
        </Dialog>
      )}
    </Form>
  );
}
