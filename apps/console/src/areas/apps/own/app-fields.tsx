import { useWords } from '../../../language/use-words.js';
import { Checkbox } from '../../../ui/forms/checkbox.js';
import { Field } from '../../../ui/forms/field.js';
import { PickMany } from '../../../ui/forms/pick-many.js';
import { Select } from '../../../ui/forms/select.js';
import { Section } from '../../../ui/page/page.js';
import { scopeWords } from '../../../ui/scopes/words.js';
import type { Draft, Scope } from './draft.js';
import { SCOPES } from './draft.js';
import styles from './own.module.css';
import { ownWords } from './words.js';

interface PartProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}

interface AppFieldsProps extends PartProps {
  isNew?: boolean;
  /** Without redirect URIs until now, so that the field may stay empty. */
  hasNoRedirects?: boolean;
}

/** All fields of an app, in three sections. */
export function AppFields({ draft, change, isNew = false, hasNoRedirects = false }: AppFieldsProps) {
  const words = useWords(ownWords);
  return (
    <div className={styles.parts}>
      <Section title={words.general}>
        <div className={styles.fields}>
          <Field
            label={words.name}
            name="name"
            value={draft.name}
            onChange={(name) => change({ name })}
            maxLength={64}
            isRequired
            autoFocus={isNew}
          />
          <Field
            label={words.description}
            name="description"
            rows={3}
            value={draft.description}
            onChange={(description) => change({ description })}
            maxLength={500}
          />
          <Field
            label={words.icon}
            name="icon_url"
            type="url"
            hint={words.iconHint}
            value={draft.iconUrl}
            onChange={(iconUrl) => change({ iconUrl })}
            isCode
          />
          <Field
            label={words.homepage}
            name="homepage_url"
            type="url"
            hint={words.homepageHint}
            value={draft.homepageUrl}
            onChange={(homepageUrl) => change({ homepageUrl })}
            isCode
          />
          <Field
            label={words.installAddress}
            name="install_url"
            type="url"
            hint={words.installAddressHint}
            value={draft.installUrl}
            onChange={(installUrl) => change({ installUrl })}
            isCode
          />
        </div>
      </Section>
      <OAuth draft={draft} change={change} isNew={isNew} hasNoRedirects={hasNoRedirects} />
      <Delivery draft={draft} change={change} />
    </div>
  );
}

function OAuth({ draft, change, isNew, hasNoRedirects }: Required<AppFieldsProps>) {
  const words = useWords(ownWords);
  return (
    <Section title={words.oauth}>
      <div className={styles.fields}>
        {isNew && (
          <Select
            label={words.clientType}
            name="client_type"
            value={draft.clientType}
            onChange={(clientType) => change({ clientType })}
            options={[
              { id: 'confidential', label: words.confidential, hint: words.confidentialHint },
              { id: 'public', label: words.public, hint: words.publicHint },
            ]}
          />
        )}
        <Field
          label={words.redirects}
          name="redirect_uris"
          hint={words.redirectsHint}
          rows={3}
          value={draft.redirectUris}
          onChange={(redirectUris) => change({ redirectUris })}
          isRequired={!hasNoRedirects}
          isCode
        />
        <ScopeField
          label={words.botScopes}
          name="bot_scopes"
          hint={words.botScopesHint}
          value={draft.botScopes}
          onChange={(botScopes) => change({ botScopes })}
        />
        <ScopeField
          label={words.userScopes}
          name="user_scopes"
          value={draft.userScopes}
          onChange={(userScopes) => change({ userScopes })}
        />
        <Checkbox
          isSelected={draft.tokenRotation}
          onChange={(tokenRotation) => change({ tokenRotation })}
          hint={words.rotationHint}
        >
          {words.rotation}
        </Checkbox>
      </div>
    </Section>
  );
}

interface ScopeFieldProps {
  label: string;
  name: string;
  hint?: string;
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
}

function ScopeField({ onChange, ...rest }: ScopeFieldProps) {
  const words = useWords(scopeWords);
  const { noScopes } = useWords(ownWords);
  return (
    <PickMany
      {...rest}
      options={SCOPES.map((id) => ({ id, label: `${id} – ${words[id]}` }))}
      onChange={(chosen) => onChange(chosen as Scope[])}
      none={noScopes}
    />
  );
}

function Delivery({ draft, change }: PartProps) {
  const words = useWords(ownWords);
  return (
    <Section title={words.delivery}>
      <div className={styles.fields}>
        <Field
          label={words.events}
          name="event_url"
          type="url"
          hint={words.eventsHint}
          value={draft.eventUrl}
          onChange={(eventUrl) => change({ eventUrl })}
          isCode
        />
        <Select
          label={words.format}
          name="event_format"
          value={draft.eventFormat}
          onChange={(eventFormat) => change({ eventFormat })}
          options={[
            { id: 'native', label: words.nativeFormat },
            { id: 'slack', label: words.slackFormat, hint: words.slackFormatHint },
          ]}
        />
        <Field
          label={words.clicks}
          name="interactive_url"
          type="url"
          hint={words.clicksHint}
          value={draft.interactiveUrl}
          onChange={(interactiveUrl) => change({ interactiveUrl })}
          isCode
        />
        <Select
          label={words.distribution}
          name="distribution"
          value={draft.distribution}
          onChange={(distribution) => change({ distribution })}
          options={[
            { id: 'space', label: words.space },
            { id: 'listed', label: words.listedChoice, hint: words.listedHint },
          ]}
        />
        <Checkbox
          isSelected={draft.isActive}
          onChange={(isActive) => change({ isActive })}
          hint={words.isActiveHint}
        >
          {words.isActive}
        </Checkbox>
      </div>
    </Section>
  );
}
