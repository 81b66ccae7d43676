import { createAppFromManifestAsAdmin } from '@tieline/sdk/api';
import type { CreatedFromManifestAnswer } from '@tieline/sdk/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Page } from '../../../ui/page/page.js';
import { CreatedApp } from './created-app.js';
import { ManifestForm, usePartSecrets } from './manifest-form.js';
import { ownWords } from './words.js';

/** Creates an app from a manifest, after a check that shows what would be created. */
export function ManifestPage() {
  const words = useWords(ownWords);
  const client = useApi();
  const queries = useQueryClient();
  const partSecrets = usePartSecrets();
  const [answer, setAnswer] = useState<CreatedFromManifestAnswer>();
  if (answer?.app) {
    const secrets = [
      { name: words.clientSecret, value: answer.client_secret },
      { name: words.signingSecret, value: answer.signing_secret },
      ...partSecrets(answer.created),
    ];
    return <CreatedApp app={answer.app} secrets={secrets} />;
  }
  return (
    <Page
      title={words.fromManifest}
      intro={words.manifestIntro}
      back={{ href: '/own-apps', label: words.title }}
    >
      <ManifestForm
        previewTitle={words.wouldCreate}
        action={words.createAction}
        send={(body) => createAppFromManifestAsAdmin({ client, body })}
        onDone={(created) => {
          setAnswer(created);
          return queries.invalidateQueries();
        }}
        autoFocus
      />
    </Page>
  );
}
