import { updateUserAsAdmin } from '@tieline/sdk/api';
import type { UpdateUserDto, UserView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { ApiFailure } from '../../api/failure.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Field } from '../../ui/forms/field.js';
import { Form, FormActions } from '../../ui/forms/form.js';
import { Confirm } from '../../ui/overlays/confirm.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { Invitation } from './invitation.js';
import { NewToken } from './new-token.js';
import { RoleSelect } from './role-select.js';
import { peopleWords } from './words.js';

/** Dialog for one person: name, role and sign-in. */
export function PersonDialog({ person, onClose }: { person: UserView; onClose: () => void }) {
  const words = useWords(peopleWords);
  const [draft, setDraft] = useState(person);
  const [asked, setAsked] = useState<'off' | 'token'>();
  const save = useSave(person, words.saved, onClose);
  const toggle = useSave(person, person.is_active ? words.deactivated : words.activated, onClose);
  const { display_name: name, email, role } = draft;
  if (asked === 'token') return <NewToken person={person} onClose={onClose} />;
  if (asked === 'off')
    return (
      <Confirm
        isOpen
        title={words.deactivateTitle(person.display_name)}
        action={words.deactivate}
        onClose={() => setAsked(undefined)}
        onConfirm={() => toggle.mutate({ is_active: false })}
        isPending={toggle.isPending}
        error={explained(toggle.error, words)}
      >
        {words.deactivateText}
      </Confirm>
    );
  return (
    <Dialog isOpen title={person.display_name} onClose={onClose}>
      <Form
        onSubmit={() => save.mutate({ display_name: name.trim(), email, role })}
        error={explained(save.error, words)}
      >
        <Field
          label={words.name}
          name="display_name"
          value={name}
          onChange={(next) => setDraft({ ...draft, display_name: next })}
          isRequired
          maxLength={64}
        />
        <Field
          label={words.email}
          name="email"
          type="email"
          value={email}
          onChange={(next) => setDraft({ ...draft, email: next })}
        />
        <RoleSelect value={role} onChange={(next) => setDraft({ ...draft, role: next })} />
        {role !== person.role && <p>{words.roleEnds}</p>}
        <FormActions>
          <Button type="submit" kind="primary" isPending={save.isPending}>
            {words.save}
          </Button>
        </FormActions>
      </Form>
      {person.is_active && <Invitation person={person} />}
      <FormActions>
        <Button onPress={() => setAsked('token')}>{words.token}</Button>
        {person.is_active ? (
          <Button onPress={() => setAsked('off')}>{words.deactivate}</Button>
        ) : (
          <Button onPress={() => toggle.mutate({ is_active: true })} isPending={toggle.isPending}>
            {words.activate}
          </Button>
        )}
      </FormActions>
    </Dialog>
  );
}

function useSave({ id }: UserView, done: string, onDone: () => void) {
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (body: UpdateUserDto) => updateUserAsAdmin({ client, path: { id }, body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['directory', 'people'] });
      await queries.invalidateQueries({ queryKey: ['session', 'person'] });
      toast({ kind: 'good', text: done });
      onDone();
    },
  });
}

/** Explains what to do about the refusal to change the last owner. */
const explained = (failure: Error | null, words: (typeof peopleWords)['en']): Error | null =>
  failure instanceof ApiFailure && failure.code === 'last_owner' ? new Error(words.lastOwner) : failure;
