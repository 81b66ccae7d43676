import { createAppAsAdmin } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button, ButtonLink } from '../../../ui/actions/button.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Page } from '../../../ui/page/page.js';
import { AppFields } from './app-fields.js';
import { CreatedApp } from './created-app.js';
import { bodyOf, EMPTY_DRAFT } from './draft.js';
import { ownWords } from './words.js';

/** Creates an app and shows its secrets. */
export function NewAppPage() {
  const words = useWords(ownWords);
  const client = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const create = useMutation({
    mutationFn: () => createAppAsAdmin({ client, body: bodyOf(draft) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['apps'] }),
    gcTime: 0,
  });
  if (create.data) {
    const { app, client_secret: clientSecret, signing_secret: signingSecret } = create.data;
    const secrets = [
      { name: words.clientSecret, value: clientSecret },
      { name: words.signingSecret, value: signingSecret },
    ];
    return <CreatedApp app={app} secrets={secrets} />;
  }
  return (
    <Page title={words.create} intro={words.newIntro} back={{ href: '/own-apps', label: words.title }}>
      <Form onSubmit={() => create.mutate()} error={create.error}>
        <AppFields isNew draft={draft} change={(part) => setDraft({ ...draft, ...part })} />
        <FormActions>
          <ButtonLink href="/own-apps">{words.cancel}</ButtonLink>
          <Button type="submit" kind="primary" isPending={create.isPending}>
            {words.createAction}
          </Button>
        </FormActions>
      </Form>
    </Page>
  );
}
