import { updateIncomingWebhookAsAdmin } from '@tieline/sdk/api';
import type { IncomingWebhookView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useChannels } from '../../../api/directory.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Checkbox } from '../../../ui/forms/checkbox.js';
import { Field } from '../../../ui/forms/field.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Select } from '../../../ui/forms/select.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { useChannelName } from '../incoming-page.js';
import { incomingWords } from '../words.js';

const SWITCHES = [
  ['require_signature', 'requireSigned'],
  ['replay_protection', 'replayOn'],
  ['default_push', 'pushOn'],
  ['severity_from_color', 'colorsOn'],
  ['group_alerts', 'groupOn'],
] as const;

/** Form to change a webhook. */
export function EditWebhook({ webhook }: { webhook: IncomingWebhookView }) {
  const words = useWords(incomingWords);
  const [draft, setDraft] = useState(webhook);
  // An empty value keeps the stored secret.
  const [secret, setSecret] = useState('');
  const [isSecretRemoved, setSecretRemoved] = useState(false);
  const save = useSave(draft, isSecretRemoved ? '' : secret || undefined, () => {
    setSecret('');
    setSecretRemoved(false);
  });
  const channels = useChannels();
  const channelName = useChannelName();
  const known = (channels.data ?? []).filter(({ id }) => id !== webhook.conversation_id).map(({ id }) => id);
  const options = [webhook.conversation_id, ...known].map((id) => ({ id, label: channelName(id) }));
  return (
    <Form onSubmit={() => save.mutate()} error={save.error}>
      <Field
        label={words.name}
        name="name"
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
        isRequired
        maxLength={100}
      />
      <Select
        label={words.channel}
        name="conversation_id"
        value={draft.conversation_id}
        options={options}
        onChange={(id) => setDraft({ ...draft, conversation_id: id })}
      />
      {SWITCHES.map(([field, label]) => (
        <Checkbox
          key={field}
          isSelected={draft[field]}
          onChange={(isOn) => setDraft({ ...draft, [field]: isOn })}
        >
          {words[label]}
        </Checkbox>
      ))}
      <Field
        label={words.nativeSecret}
        name="native_secret"
        type="password"
        hint={webhook.has_native_secret ? words.nativeSecretSet : words.nativeSecretHint}
        value={secret}
        onChange={setSecret}
        isDisabled={isSecretRemoved}
        maxLength={256}
        autoComplete="off"
      />
      {webhook.has_native_secret && (
        <Checkbox isSelected={isSecretRemoved} onChange={setSecretRemoved}>
          {words.nativeSecretRemove}
        </Checkbox>
      )}
      <FormActions>
        <Button type="submit" kind="primary" isPending={save.isPending}>
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}

function useSave(draft: IncomingWebhookView, nativeSecret: string | undefined, saved: () => void) {
  const words = useWords(incomingWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: () =>
      updateIncomingWebhookAsAdmin({
        client,
        path: { id: draft.id },
        body: {
          name: draft.name,
          conversation_id: draft.conversation_id,
          ...Object.fromEntries(SWITCHES.map(([field]) => [field, draft[field]])),
          ...(nativeSecret !== undefined && { native_secret: nativeSecret }),
        },
      }),
    onSuccess: async () => {
      saved();
      await queries.invalidateQueries({ queryKey: ['incoming'] });
      toast({ kind: 'good', text: words.saved });
    },
  });
}
