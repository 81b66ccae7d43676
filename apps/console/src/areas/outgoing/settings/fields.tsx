import { SUBSCRIPTION_EVENT_TYPES } from '@tieline/sdk/api';
import { useBotNames, useChannels, usePeople } from '../../../api/directory.js';
import { useWords } from '../../../language/use-words.js';
import { useEventName } from '../../../ui/deliveries/event-name.js';
import { Checkbox, Checkboxes } from '../../../ui/forms/checkbox.js';
import { Choice } from '../../../ui/forms/choice.js';
import { Field } from '../../../ui/forms/field.js';
import { PickMany } from '../../../ui/forms/pick-many.js';
import { Select } from '../../../ui/forms/select.js';
import { Section } from '../../../ui/page/page.js';
import type { Draft } from './draft.js';
import styles from './settings.module.css';
import { settingsWords } from './words.js';

interface PartProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}

/** All fields of a subscription, in three sections. */
export function SubscriptionFields({ draft, change, isNew }: PartProps & { isNew?: boolean }) {
  const words = useWords(settingsWords);
  return (
    <>
      <Section title={words.where}>
        <div className={styles.fields}>
          <Field
            label={words.name}
            name="name"
            hint={words.nameHint}
            value={draft.name}
            onChange={(name) => change({ name })}
            isRequired
            maxLength={100}
            autoFocus={isNew}
          />
          <Field
            label={words.url}
            name="url"
            hint={words.urlHint}
            placeholder="https://"
            value={draft.url}
            onChange={(url) => change({ url })}
            isRequired
            isCode
            inputMode="url"
          />
        </div>
      </Section>
      <What draft={draft} change={change} />
      <How draft={draft} change={change} />
    </>
  );
}

function What({ draft, change }: PartProps) {
  const words = useWords(settingsWords);
  const nameOf = useEventName();
  const channels = useChannels();
  return (
    <Section title={words.what}>
      <div className={styles.fields}>
        <div className={styles.columns}>
          <Checkboxes
            label={words.events}
            name="event_types"
            hint={draft.eventTypes.length === 0 ? words.eventsNone : undefined}
            value={draft.eventTypes}
            options={SUBSCRIPTION_EVENT_TYPES.map((id) => ({ id, label: nameOf(id) }))}
            onChange={(eventTypes) => change({ eventTypes })}
          />
        </div>
        <PickMany
          label={words.channels}
          name="channel_ids"
          hint={words.channelsHint}
          none={words.noChannels}
          value={draft.channelIds}
          options={(channels.data ?? []).map(({ id, name }) => ({ id, label: `#${name}` }))}
          onChange={(channelIds) => change({ channelIds })}
        />
        <Trigger draft={draft} change={change} />
      </div>
    </Section>
  );
}

function Trigger({ draft, change }: PartProps) {
  const words = useWords(settingsWords);
  const people = usePeople();
  const bots = useBotNames();
  const everybody = [...(people.data ?? []), ...(bots.data ?? [])];
  return (
    <>
      <div className={styles.labelled}>
        <span aria-hidden>{words.trigger}</span>
        <Choice
          label={words.trigger}
          value={draft.trigger}
          options={(['all', 'mention', 'keywords'] as const).map((id) => ({ id, label: words[id] }))}
          onChange={(trigger) => change({ trigger })}
        />
      </div>
      {draft.trigger === 'keywords' && (
        <Field
          label={words.keywordsLabel}
          name="trigger_config"
          hint={words.keywordsHint}
          rows={4}
          value={draft.keywords}
          onChange={(keywords) => change({ keywords })}
          isRequired
        />
      )}
      {draft.trigger === 'mention' && (
        <PickMany
          label={words.people}
          name="trigger_config"
          hint={words.peopleHint}
          none={words.noPeople}
          value={draft.userIds}
          options={everybody.map(({ id, display_name: label }) => ({ id, label }))}
          onChange={(userIds) => change({ userIds })}
        />
      )}
    </>
  );
}

function How({ draft, change }: PartProps) {
  const words = useWords(settingsWords);
  return (
    <Section title={words.how}>
      <div className={styles.fields}>
        <Select
          label={words.retries}
          name="retry_profile"
          value={draft.retryProfile}
          options={(['contract', 'extended'] as const).map((id) => ({ id, label: words[id] }))}
          onChange={(retryProfile) => change({ retryProfile })}
        />
        <Checkbox
          isSelected={draft.isOrdered}
          onChange={(isOrdered) => change({ isOrdered })}
          hint={words.orderedHint}
        >
          {words.ordered}
        </Checkbox>
        <Checkbox isSelected={draft.isThin} onChange={(isThin) => change({ isThin })} hint={words.thinHint}>
          {words.thin}
        </Checkbox>
        <Checkbox
          isSelected={draft.includeContext && !draft.isThin}
          isDisabled={draft.isThin}
          onChange={(includeContext) => change({ includeContext })}
          hint={words.contextHint}
        >
          {words.context}
        </Checkbox>
        {draft.includeContext && !draft.isThin && (
          <Field
            label={words.contextSize}
            name="context_size"
            value={draft.contextSize}
            onChange={(contextSize) => change({ contextSize })}
            inputMode="numeric"
            isRequired
          />
        )}
      </div>
    </Section>
  );
}
