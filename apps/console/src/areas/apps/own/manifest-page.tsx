import { createAppFromManifestAsAdmin } from '@tieline/sdk/api';
import type { CreatedFromManifestAnswer, ManifestRequestDto } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { ApiFailure } from '../../../api/failure.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Field } from '../../../ui/forms/field.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Note } from '../../../ui/page/note.js';
import { Page, Section } from '../../../ui/page/page.js';
import { CreatedApp } from './created-app.js';
import styles from './own.module.css';
import { ownWords } from './words.js';

/** Creates an app from a manifest, after a check that shows what would be created. */
export function ManifestPage() {
  const words = useWords(ownWords);
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const check = useManifest(true);
  const create = useManifest(false, () => queries.invalidateQueries());
  const secretsOf = useSecrets();
  const checked = check.variables === text ? check.data : undefined;
  if (create.data?.app) return <CreatedApp app={create.data.app} secrets={secretsOf(create.data)} />;
  return (
    <Page
      title={words.fromManifest}
      intro={words.manifestIntro}
      back={{ href: '/own-apps', label: words.title }}
    >
      <Form
        onSubmit={() => (checked ? create.mutate(text) : check.mutate(text))}
        error={create.error ?? check.error}
        explain={atPlace}
      >
        <Field
          label={words.manifestField}
          name="manifest"
          hint={words.manifestHint}
          rows={16}
          value={text}
          onChange={(manifest) => {
            create.reset();
            setText(manifest);
          }}
          spellCheck="false"
          isRequired
          isCode
          autoFocus
        />
        {checked && <Preview answer={checked} />}
        <FormActions>
          <Button type="submit" kind="primary" isPending={check.isPending || create.isPending}>
            {checked ? words.createAction : words.check}
          </Button>
        </FormActions>
      </Form>
    </Page>
  );
}

function useManifest(isDryRun: boolean, onSuccess?: () => unknown) {
  const words = useWords(ownWords);
  const client = useApi();
  return useMutation({
    mutationFn: (text: string) =>
      createAppFromManifestAsAdmin({
        client,
        body: { manifest: parsed(text, words.notJson), dry_run: isDryRun },
      }),
    onSuccess,
    gcTime: 0,
  });
}

/** @throws an error with the message for a text that is not JSON */
function parsed(text: string, message: string): ManifestRequestDto['manifest'] {
  try {
    return JSON.parse(text) as ManifestRequestDto['manifest'];
  } catch {
    throw new Error(message);
  }
}

/** Names the part of the manifest that an error is about. */
function atPlace(error: unknown): Record<string, string> | undefined {
  if (!(error instanceof ApiFailure) || error.field === undefined) return undefined;
  return { manifest: `${error.field}: ${error.message}` };
}

/** What would be created, and what is left out. */
function Preview({ answer: { created, warnings } }: { answer: CreatedFromManifestAnswer }) {
  const words = useWords(ownWords);
  return (
    <Section title={words.wouldCreate}>
      <div className={styles.fields} role="status">
        <ul className={styles.list}>
          {created.map(({ type, name }) => (
            <li key={`${type} ${name}`}>
              {words[type]}: {type === 'command' ? `/${name}` : name}
            </li>
          ))}
        </ul>
        {warnings.length > 0 && (
          <Note kind="warning">
            <strong>{words.leftOut}</strong>
            {warnings.map((warning) => (
              <span key={warning}>{warning}</span>
            ))}
          </Note>
        )}
      </div>
    </Section>
  );
}

/** Returns a function that names the secrets of a response. */
function useSecrets() {
  const words = useWords(ownWords);
  return (answer: CreatedFromManifestAnswer) => [
    { name: words.clientSecret, value: answer.client_secret },
    { name: words.signingSecret, value: answer.signing_secret },
    ...answer.created.map(({ type, name, token, signing_secret: secret }) => {
      if (type === 'bot') return { name: words.botToken, value: token };
      return { name: type === 'command' ? words.commandSecret(name) : words.clickSecret, value: secret };
    }),
  ];
}
