import { createConversationAsPerson, openDmAsPerson } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Choice } from '../../../ui/forms/choice.js';
import { Field } from '../../../ui/forms/field.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { PickMany } from '../../../ui/forms/pick-many.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { useNames } from '../names.js';
import { PersonChoice } from './person-choice.js';
import { conversationsKey } from './use-conversations.js';
import { conversationWords } from './words.js';

type Kind = 'channel' | 'voice' | 'direct';

/** Dialog to create a channel or voice chat, or to open a direct message. */
export function NewConversation({ onClose }: { onClose: () => void }) {
  const words = useWords(conversationWords);
  return (
    <Dialog title={words.newTitle} isOpen onClose={onClose}>
      <NewForm onClose={onClose} />
    </Dialog>
  );
}

function NewForm({ onClose }: { onClose: () => void }) {
  const words = useWords(conversationWords);
  const client = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const names = useNames();
  const [kind, setKind] = useState<Kind>('channel');
  const [name, setName] = useState('');
  const [access, setAccess] = useState<'public' | 'private'>('public');
  const [members, setMembers] = useState<readonly string[]>([]);
  const [other, setOther] = useState('');
  const others = names.all.filter(({ id }) => id !== names.ownId);
  const make = useMutation({
    mutationFn: async () => {
      if (kind === 'direct')
        return (await openDmAsPerson({ client, body: { user_id: other } })).conversation_id;
      const body = { name, type: kind, is_public: access === 'public', member_ids: [...members] };
      return (await createConversationAsPerson({ client, body })).conversation.id;
    },
    onSuccess: (conversationId) => {
      void queries.invalidateQueries({ queryKey: conversationsKey });
      onClose();
      void navigate({ to: '/chat/$conversationId', params: { conversationId }, search: {} });
    },
  });
  return (
    <Form onSubmit={() => make.mutate()} error={make.error}>
      <Choice<Kind>
        label={words.kind}
        value={kind}
        onChange={setKind}
        options={[
          { id: 'channel', label: words.channel },
          { id: 'direct', label: words.direct },
          { id: 'voice', label: words.voice },
        ]}
      />
      {kind === 'direct' ? (
        <PersonChoice label={words.withWhom} name="user_id" value={other} onChange={setOther} isRequired />
      ) : (
        <>
          <Field
            label={words.name}
            name="name"
            value={name}
            onChange={setName}
            isRequired
            maxLength={80}
            autoFocus
          />
          <Choice<'public' | 'private'>
            label={words.access}
            value={access}
            onChange={setAccess}
            options={[
              { id: 'public', label: words.public },
              { id: 'private', label: words.private },
            ]}
          />
          {others.length > 0 && (
            <PickMany
              label={words.members}
              name="member_ids"
              value={members}
              onChange={setMembers}
              options={others.map(({ id, name: label }) => ({ id, label }))}
              none={words.nobody}
            />
          )}
        </>
      )}
      <FormActions>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button kind="primary" type="submit" isPending={make.isPending}>
          {kind === 'direct' ? words.open : words.create}
        </Button>
      </FormActions>
    </Form>
  );
}
