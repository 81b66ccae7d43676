import type { CreatedPartView, DeletedPartView, ManifestRequestDto } from '@tieline/sdk/api';
import type { ChangedPartView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../../api/failure.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Field } from '../../../ui/forms/field.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Note } from '../../../ui/page/note.js';
import { Section } from '../../../ui/page/page.js';
import styles from './own.module.css';
import { ownWords } from './words.js';

/** What a manifest does, or would do. */
export interface ManifestResult {
  created: CreatedPartView[];
  /** Absent for a new app, as the next. */
  changed?: ChangedPartView[];
  deleted?: DeletedPartView[];
  warnings: string[];
}

interface ManifestFormProps<T extends ManifestResult> {
  initialText?: string;
  /** Title of the list of what the manifest would do. */
  previewTitle: string;
  /** Label of the button that applies the manifest. */
  action: string;
  send: (body: ManifestRequestDto) => Promise<T>;
  onDone: (result: T) => unknown;
  autoFocus?: boolean;
}

/** Form for a manifest, which is checked before it is applied. */
export function ManifestForm<T extends ManifestResult>({
  initialText = '',
  previewTitle,
  action,
  send,
  onDone,
  autoFocus = false,
}: ManifestFormProps<T>) {
  const words = useWords(ownWords);
  const [text, setText] = useState(initialText);
  const request = (given: string, isDryRun: boolean): Promise<T> =>
    send({ manifest: parsed(given, words.notJson), dry_run: isDryRun });
  // An error of parsing is an error of the request.
  const check = useMutation({ mutationFn: async (given: string) => request(given, true), gcTime: 0 });
  const apply = useMutation({
    mutationFn: async (given: string) => request(given, false),
    onSuccess: onDone,
    gcTime: 0,
  });
  const checked = check.variables === text ? check.data : undefined;
  return (
    <Form
      onSubmit={() => (checked ? apply.mutate(text) : check.mutate(text))}
      error={apply.error ?? check.error}
      explain={atPlace}
    >
      <Field
        label={words.manifestField}
        name="manifest"
        hint={words.manifestHint}
        rows={16}
        value={text}
        onChange={(manifest) => {
          apply.reset();
          setText(manifest);
        }}
        spellCheck="false"
        isRequired
        isCode
        autoFocus={autoFocus}
      />
      {checked && <Preview title={previewTitle} result={checked} />}
      <FormActions>
        <Button type="submit" kind="primary" isPending={check.isPending || apply.isPending}>
          {checked ? action : words.check}
        </Button>
      </FormActions>
    </Form>
  );
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

/** What the manifest would do, and what is left out. */
function Preview({ title, result }: { title: string; result: ManifestResult }) {
  const words = useWords(ownWords);
  const { created, changed = [], deleted = [], warnings } = result;
  return (
    <Section title={title}>
      <div className={styles.fields} role="status">
        {created.length + changed.length + deleted.length === 0 && <p>{words.noDifference}</p>}
        <ul className={styles.list}>
          {created.map((part) => (
            <Part key={`created ${part.type} ${part.name}`} part={part} sign="+" />
          ))}
          {changed.map((part) => (
            <Part key={`changed ${part.type} ${part.name}`} part={part} sign="~" />
          ))}
          {deleted.map((part) => (
            <Part key={`deleted ${part.type} ${part.name}`} part={part} sign="−" />
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

type AnyPart = Pick<CreatedPartView, 'type' | 'name'> & Partial<Pick<ChangedPartView, 'changes'>>;

function Part({ part: { type, name, changes = {} }, sign }: { part: AnyPart; sign: '+' | '~' | '−' }) {
  const words = useWords(ownWords);
  return (
    <li data-sign={sign}>
      {words[type]}: {type === 'command' ? `/${name}` : name}
      {Object.entries(changes as Record<string, { from?: unknown; to?: unknown }>).map(
        ([field, { from, to }]) => (
          <div key={field} className={styles.change}>
            {field}: {JSON.stringify(from)} → {JSON.stringify(to)}
          </div>
        ),
      )}
    </li>
  );
}

/** Returns a function that names the secrets of new parts. */
export function usePartSecrets() {
  const words = useWords(ownWords);
  return (created: readonly CreatedPartView[]) =>
    created.map(({ type, name, token, signing_secret: secret }) => {
      if (type === 'bot') return { name: words.botToken, value: token };
      return { name: type === 'command' ? words.commandSecret(name) : words.clickSecret, value: secret };
    });
}
