import { createInviteAsAdmin, createUserAsAdmin } from '@tieline/sdk/api';
import type { UserView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { SecretOnce } from '../../ui/data/secret.js';
import { Field } from '../../ui/forms/field.js';
import { Form, FormActions } from '../../ui/forms/form.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { uiWords } from '../../ui/words.js';
import { RoleSelect } from './role-select.js';
import { peopleWords } from './words.js';

/** Adds a person and shows their invitation link. */
export function AddPerson({ onClose }: { onClose: () => void }) {
  const words = useWords(peopleWords);
  const ui = useWords(uiWords);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<UserView['role']>('member');
  const add = useAdd();
  if (add.data)
    return (
      <Dialog isOpen isKept title={words.inviteTitle(name)} onClose={onClose}>
        <p>{words.inviteText}</p>
        <SecretOnce name={words.inviteUrl} value={add.data.url} />
        <FormActions>
          <Button kind="primary" onPress={onClose}>
            {ui.done}
          </Button>
        </FormActions>
      </Dialog>
    );
  return (
    <Dialog isOpen title={words.add} onClose={onClose}>
      <Form
        onSubmit={() => add.mutate({ display_name: name.trim(), role, ...(email ? { email } : {}) })}
        error={add.error}
      >
        <Field
          label={words.name}
          name="display_name"
          value={name}
          onChange={setName}
          isRequired
          maxLength={64}
          autoFocus
        />
        <Field
          label={words.email}
          name="email"
          type="email"
          hint={words.emailHint}
          value={email}
          onChange={setEmail}
        />
        <RoleSelect value={role} onChange={setRole} />
        <FormActions>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button type="submit" kind="primary" isPending={add.isPending}>
            {words.addDo}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

/**
 * Ignores the personal token in the response. The link does the same and does not have to be
 * stored.
 */
function useAdd() {
  const client = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: { display_name: string; role: UserView['role']; email?: string }) => {
      const { user } = await createUserAsAdmin({ client, body });
      return createInviteAsAdmin({ client, path: { id: user.id } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['directory', 'people'] }),
    gcTime: 0,
  });
}
