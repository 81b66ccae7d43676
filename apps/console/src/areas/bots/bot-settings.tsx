import { BOT_EVENT_TYPES, updateBotAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView, UpdateBotDto } from '@tieline/sdk/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { useEventName } from '../../ui/deliveries/event-name.js';
import { Checkbox, Checkboxes } from '../../ui/forms/checkbox.js';
import { Field } from '../../ui/forms/field.js';
import { Form, FormActions } from '../../ui/forms/form.js';
import { Select } from '../../ui/forms/select.js';
import { useToast } from '../../ui/overlays/toast.js';
import { Section } from '../../ui/page/page.js';
import { channelsQuery } from './queries.js';
import { botsWords } from './words.js';

/** All fields of the form. Unset fields are empty instead of null. */
type Settings = { [Name in keyof UpdateBotDto]-?: NonNullable<UpdateBotDto[Name]> };

const settingsOf = (bot: AdminBotView): Settings => ({
  display_name: bot.display_name,
  avatar_url: bot.avatar_url,
  is_active: bot.is_active,
  event_types: bot.event_types as Settings['event_types'],
  channel_ids: bot.channel_ids,
  event_delivery_mode: bot.event_delivery_mode,
  event_format: bot.event_format,
  slack_events: bot.slack_events as Settings['slack_events'],
  webhook_url: bot.webhook_url,
  retry_profile: bot.retry_profile,
});

/** Form with all settings of a bot. */
export function BotSettings({ bot }: { bot: AdminBotView }) {
  const words = useWords(botsWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const [settings, setSettings] = useState(() => settingsOf(bot));
  const change = (some: Partial<Settings>) => setSettings({ ...settings, ...some });
  const save = useMutation({
    mutationFn: () => updateBotAsAdmin({ client, path: { id: bot.id }, body: settings }),
    onSuccess: async () => {
      toast({ kind: 'good', text: words.saved });
      await queries.invalidateQueries({ queryKey: ['bots'] });
    },
  });
  return (
    <Section title={words.settings}>
      <Form onSubmit={() => save.mutate()} error={save.error}>
        <Field
          label={words.name}
          name="display_name"
          value={settings.display_name}
          onChange={(name) => change({ display_name: name })}
          maxLength={64}
          isRequired
        />
        <Field
          label={words.avatar}
          name="avatar_url"
          type="url"
          hint={words.avatarHint}
          value={settings.avatar_url}
          onChange={(url) => change({ avatar_url: url })}
          isCode
        />
        <EventFields settings={settings} change={change} />
        <Checkbox
          isSelected={settings.is_active}
          onChange={(isActive) => change({ is_active: isActive })}
          hint={words.isActiveHint}
        >
          {words.isActive}
        </Checkbox>
        <FormActions>
          <Button kind="primary" type="submit" isPending={save.isPending}>
            {words.save}
          </Button>
        </FormActions>
      </Form>
    </Section>
  );
}

function EventFields({
  settings,
  change,
}: {
  settings: Settings;
  change: (some: Partial<Settings>) => void;
}) {
  const words = useWords(botsWords);
  const nameOf = useEventName();
  const { data: channels = [] } = useQuery(channelsQuery(useApi()));
  return (
    <>
      <Select
        label={words.mode}
        name="event_delivery_mode"
        value={settings.event_delivery_mode}
        onChange={(mode) => change({ event_delivery_mode: mode })}
        options={[
          { id: 'poll', label: words.poll, hint: words.pollHint },
          { id: 'webhook', label: words.webhook, hint: words.webhookHint },
          { id: 'none', label: words.none_mode, hint: words.noneHint },
        ]}
      />
      {settings.event_delivery_mode !== 'none' && (
        <Select
          label={words.format}
          name="event_format"
          value={settings.event_format}
          onChange={(format) => change({ event_format: format })}
          options={[
            { id: 'native', label: words.nativeFormat },
            { id: 'slack', label: words.slackFormat, hint: words.slackFormatHint },
          ]}
        />
      )}
      {settings.event_delivery_mode === 'webhook' && (
        <>
          <Field
            label={words.address}
            name="webhook_url"
            type="url"
            hint={words.addressHint}
            value={settings.webhook_url}
            onChange={(url) => change({ webhook_url: url })}
            isRequired
            isCode
          />
          <Select
            label={words.retries}
            name="retry_profile"
            value={settings.retry_profile}
            onChange={(profile) => change({ retry_profile: profile })}
            options={[
              { id: 'contract', label: words.contract },
              { id: 'extended', label: words.extended },
            ]}
          />
        </>
      )}
      {settings.event_delivery_mode !== 'none' && (
        <Checkboxes
          label={words.eventTypes}
          name="event_types"
          hint={
            settings.event_format === 'slack' && settings.slack_events.length > 0
              ? words.slackEventsHint(settings.slack_events.join(', '))
              : words.eventTypesHint
          }
          value={settings.event_types}
          onChange={(types) => change({ event_types: types })}
          options={BOT_EVENT_TYPES.map((id) => ({ id, label: nameOf(id) }))}
        />
      )}
      {settings.event_delivery_mode !== 'none' && channels.length > 0 && (
        <Checkboxes
          label={words.onlyChannels}
          name="channel_ids"
          hint={words.onlyChannelsHint}
          value={settings.channel_ids}
          onChange={(ids) => change({ channel_ids: ids })}
          options={channels.map(({ id, name }) => ({ id, label: name }))}
        />
      )}
    </>
  );
}
