import { createConversationAsPerson, createIncomingWebhookAsAdmin } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useChannels } from '../../../api/directory.js';
import { useWords } from '../../../language/use-words.js';
import { Button, ButtonLink } from '../../../ui/actions/button.js';
import { Checkbox } from '../../../ui/forms/checkbox.js';
import { Field } from '../../../ui/forms/field.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Select } from '../../../ui/forms/select.js';
import { Page, Section } from '../../../ui/page/page.js';
import { Connect } from './connect.js';
import { CURL, SENDERS } from './senders.js';
import type { Sender } from './senders.js';
import styles from './wizard.module.css';
import { wizardWords } from './words.js';

/** Value for a channel created together with the webhook. */
const NEW = 'new';

interface Draft {
  sender: Sender;
  /** Empty: the name of the sender. */
  name: string;
  channelId: string;
  channelName: string;
  isSigned: boolean;
  /** Secret of a sender with its own signatures. Empty: it does not sign. */
  nativeSecret: string;
}

/** Wizard from the choice of a sender to its first request. */
export function WizardPage() {
  const words = useWords(wizardWords);
  const [draft, setDraft] = useState<Draft>({
    sender: SENDERS[0] ?? CURL,
    name: '',
    channelId: '',
    channelName: 'alerts',
    isSigned: false,
    nativeSecret: '',
  });
  const create = useCreate(draft);
  const back = { href: '/incoming', label: words.back };
  if (create.data) {
    const { webhook, url, token, signing_secret: secret } = create.data;
    return (
      <Page title={words.connect(draft.sender.name)} intro={words.connectIntro} back={back}>
        <Connect webhook={webhook} sender={draft.sender} url={url} token={token} secret={secret} />
        <FormActions>
          <ButtonLink href={`/incoming/${webhook.id}`}>{words.open}</ButtonLink>
        </FormActions>
      </Page>
    );
  }
  return (
    <Page title={words.title} intro={words.intro} back={back}>
      <Form onSubmit={() => create.mutate()} error={create.error}>
        <Section title={words.who} isPlain>
          <Senders value={draft.sender} onChange={(sender) => setDraft({ ...draft, sender })} />
        </Section>
        <Fields draft={draft} change={(part) => setDraft({ ...draft, ...part })} />
        <FormActions>
          <ButtonLink href="/incoming">{words.cancel}</ButtonLink>
          <Button type="submit" kind="primary" isPending={create.isPending}>
            {words.create}
          </Button>
        </FormActions>
      </Form>
    </Page>
  );
}

function useCreate(draft: Draft) {
  const client = useApi();
  const queries = useQueryClient();
  const channels = useChannels();
  return useMutation({
    mutationFn: async () => {
      const chosen = draft.channelId || (channels.data?.[0]?.id ?? NEW);
      const channelId = chosen === NEW ? await newChannel() : chosen;
      const secret = draft.sender.hasSecret ? draft.nativeSecret : '';
      return createIncomingWebhookAsAdmin({
        client,
        body: {
          name: draft.name.trim() || draft.sender.name,
          conversation_id: channelId,
          require_signature: secret !== '' || (draft.sender === CURL && draft.isSigned),
          ...(secret !== '' && { native_secret: secret }),
        },
      });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['incoming'] }),
    gcTime: 0,
  });

  async function newChannel(): Promise<string> {
    const made = await createConversationAsPerson({
      client,
      body: { name: draft.channelName.trim(), is_public: true },
    });
    await queries.invalidateQueries({ queryKey: ['directory', 'channels'] });
    return made.conversation.id;
  }
}

function Senders({ value, onChange }: { value: Sender; onChange: (sender: Sender) => void }) {
  const words = useWords(wizardWords);
  return (
    <RadioGroup
      className={styles.group}
      aria-label={words.who}
      value={value.id}
      onChange={(chosen) => onChange(SENDERS.find(({ id }) => id === chosen) ?? CURL)}
    >
      <div className={styles.senders}>
        {SENDERS.map((sender) => (
          <Radio key={sender.id} value={sender.id} className={styles.sender}>
            {sender.name}
          </Radio>
        ))}
      </div>
      <span className={styles.hint}>{words.other}</span>
    </RadioGroup>
  );
}

function Fields({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const words = useWords(wizardWords);
  const channels = useChannels();
  const options = [
    ...(channels.data ?? []).map(({ id, name }) => ({ id, label: `#${name}` })),
    { id: NEW, label: words.newChannel },
  ];
  const channelId = draft.channelId || (options[0]?.id ?? NEW);
  return (
    <div className={styles.fields}>
      <Select
        label={words.channel}
        name="conversation_id"
        value={channelId}
        options={options}
        onChange={(id) => change({ channelId: id })}
      />
      {channelId === NEW && (
        <Field
          label={words.channelName}
          value={draft.channelName}
          onChange={(channelName) => change({ channelName })}
          isRequired
        />
      )}
      <Field
        label={words.name}
        name="name"
        hint={words.nameHint}
        placeholder={draft.sender.name}
        value={draft.name}
        onChange={(name) => change({ name })}
        maxLength={100}
      />
      {draft.sender.hasSecret && (
        <Field
          label={words.nativeSecret}
          name="native_secret"
          type="password"
          hint={words.nativeSecretHint}
          value={draft.nativeSecret}
          onChange={(nativeSecret) => change({ nativeSecret })}
          maxLength={256}
          autoComplete="off"
        />
      )}
      {draft.sender === CURL && (
        <Checkbox
          isSelected={draft.isSigned}
          onChange={(isSigned) => change({ isSigned })}
          hint={words.isSignedHint}
        >
          {words.isSigned}
        </Checkbox>
      )}
    </div>
  );
}
