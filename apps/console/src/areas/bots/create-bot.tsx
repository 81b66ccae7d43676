import { addMemberAsPerson, createBotAsAdmin, createConversationAsPerson } from '@tieline/sdk/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import type { ApiClient } from '../../api/api-session.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Field } from '../../ui/forms/field.js';
import { Form, FormActions } from '../../ui/forms/form.js';
import { Select } from '../../ui/forms/select.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { uiWords } from '../../ui/words.js';
import { BotCreated } from './bot-created.js';
import type { MadeBot } from './made-bot.js';
import { channelsQuery } from './queries.js';
import { botsWords } from './words.js';

const NO_CHANNEL = 'none';
const NEW_CHANNEL = 'new';

interface NewBot {
  name: string;
  mode: 'none' | 'poll' | 'webhook';
  address: string;
  /** A channel id, or one of the two values above. */
  channel: string;
  channelName: string;
}

async function makeBot(
  client: ApiClient,
  { name, mode, address, channel, channelName }: NewBot,
): Promise<MadeBot> {
  const made = await createBotAsAdmin({
    client,
    body: {
      display_name: name,
      event_delivery_mode: mode,
      event_types: mode === 'none' ? [] : ['MESSAGE_CREATED'],
      ...(mode === 'webhook' && { webhook_url: address }),
    },
  });
  try {
    return {
      made,
      channelId: await putInto(client, made.bot.id, channel, channelName),
      channelFailure: undefined,
    };
  } catch (channelFailure) {
    return { made, channelId: undefined, channelFailure };
  }
}

async function putInto(
  client: ApiClient,
  botId: string,
  channel: string,
  name: string,
): Promise<string | undefined> {
  if (channel === NO_CHANNEL) return undefined;
  if (channel === NEW_CHANNEL) {
    const body = { name, is_public: true, member_ids: [botId] };
    return (await createConversationAsPerson({ client, body })).conversation.id;
  }
  await addMemberAsPerson({ client, path: { id: channel }, body: { member_id: botId } });
  return channel;
}

/** Creates a bot in a channel, then shows its token once with an example program. */
export function CreateBot({ onClose }: { onClose: () => void }) {
  const words = useWords(botsWords);
  const client = useApi();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (bot: NewBot) => makeBot(client, bot),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['bots'] }),
        queries.invalidateQueries({ queryKey: ['channels'] }),
      ]),
    gcTime: 0,
  });
  if (create.data) return <BotCreated {...create.data} />;
  return (
    <Dialog title={words.create} isOpen onClose={onClose}>
      <NewBotForm
        onClose={onClose}
        onCreate={create.mutate}
        error={create.error}
        isPending={create.isPending}
      />
    </Dialog>
  );
}

interface NewBotFormProps {
  onClose: () => void;
  onCreate: (bot: NewBot) => void;
  error: unknown;
  isPending: boolean;
}

function NewBotForm({ onClose, onCreate, error, isPending }: NewBotFormProps) {
  const words = useWords(botsWords);
  const shared = useWords(uiWords);
  const { data: channels = [] } = useQuery(channelsQuery(useApi()));
  const [bot, setBot] = useState<NewBot>({
    name: '',
    mode: 'poll',
    address: '',
    channel: '',
    channelName: 'general',
  });
  const change = (some: Partial<NewBot>) => setBot({ ...bot, ...some });
  const channel = bot.channel || (channels[0]?.id ?? NEW_CHANNEL);
  return (
    <Form onSubmit={() => onCreate({ ...bot, channel })} error={error}>
      <Field
        label={words.name}
        name="display_name"
        hint={words.nameHint}
        placeholder={words.namePlaceholder}
        value={bot.name}
        onChange={(name) => change({ name })}
        maxLength={64}
        isRequired
        autoFocus
      />
      <Select
        label={words.mode}
        name="event_delivery_mode"
        value={bot.mode}
        onChange={(mode) => change({ mode })}
        options={[
          { id: 'poll', label: words.poll, hint: words.pollHint },
          { id: 'webhook', label: words.webhook, hint: words.webhookHint },
          { id: 'none', label: words.none_mode, hint: words.noneHint },
        ]}
      />
      {bot.mode === 'webhook' && (
        <Field
          label={words.address}
          name="webhook_url"
          type="url"
          hint={words.addressHint}
          placeholder="https://bot.example.com/events"
          value={bot.address}
          onChange={(address) => change({ address })}
          isRequired
          isCode
        />
      )}
      <Select
        label={words.channel}
        value={channel}
        onChange={(chosen) => change({ channel: chosen })}
        options={[
          ...channels.map(({ id, name }) => ({ id, label: name })),
          { id: NEW_CHANNEL, label: words.channelNew },
          { id: NO_CHANNEL, label: words.channelNone },
        ]}
      />
      {channel === NEW_CHANNEL && (
        <Field
          label={words.channelName}
          value={bot.channelName}
          onChange={(channelName) => change({ channelName })}
          isRequired
        />
      )}
      <FormActions>
        <Button onPress={onClose}>{shared.cancel}</Button>
        <Button kind="primary" type="submit" isPending={isPending}>
          {words.createAction}
        </Button>
      </FormActions>
    </Form>
  );
}
