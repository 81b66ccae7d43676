import { updateAppFromManifestAsAdmin } from '@tieline/sdk/api';
import type { AppView, UpdatedFromManifestAnswer } from '@tieline/sdk/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { SecretOnce } from '../../../ui/data/secret.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { Section } from '../../../ui/page/page.js';
import { ManifestForm, usePartSecrets } from './manifest-form.js';
import styles from './own.module.css';
import { ownWords } from './words.js';

interface ChangeByManifestProps {
  app: AppView;
  /** The current manifest of the app. */
  text: string;
}

/** Changes an app by its manifest, after a check that shows the difference. */
export function ChangeByManifest({ app, text }: ChangeByManifestProps) {
  const words = useWords(ownWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const partSecrets = usePartSecrets();
  const [answer, setAnswer] = useState<UpdatedFromManifestAnswer>();
  const secrets = partSecrets(answer?.created ?? []).filter(({ value }) => value !== undefined);
  return (
    <Section title={words.changeByManifest} intro={words.changeByManifestText}>
      <div className={styles.parts}>
        {secrets.length > 0 && (
          <div className={styles.fields}>
            {secrets.map(({ name, value = '' }) => (
              <SecretOnce key={name} name={name} value={value} />
            ))}
          </div>
        )}
        <ManifestForm
          key={text}
          initialText={text}
          previewTitle={words.difference}
          action={words.apply}
          send={(body) => updateAppFromManifestAsAdmin({ client, path: { id: app.id }, body })}
          onDone={async (updated) => {
            setAnswer(updated);
            toast({ kind: 'good', text: words.saved });
            await queries.invalidateQueries({ queryKey: ['apps'] });
          }}
        />
      </div>
    </Section>
  );
}
