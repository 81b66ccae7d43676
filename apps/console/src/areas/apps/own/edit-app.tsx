import { updateAppAsAdmin } from '@tieline/sdk/api';
import type { AppView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { Note } from '../../../ui/page/note.js';
import { AppFields } from './app-fields.js';
import { ClientId } from './client-id.js';
import { changesOf, draftOf } from './draft.js';
import { ownWords } from './words.js';

/** Form with all settings of an app. */
export function EditApp({ app }: { app: AppView }) {
  const words = useWords(ownWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const [draft, setDraft] = useState(() => draftOf(app));
  const save = useMutation({
    mutationFn: () => updateAppAsAdmin({ client, path: { id: app.id }, body: changesOf(draft) }),
    onSuccess: async () => {
      toast({ kind: 'good', text: words.saved });
      await queries.invalidateQueries({ queryKey: ['apps'] });
    },
  });
  return (
    <Form onSubmit={() => save.mutate()} error={save.error}>
      <ClientId app={app} />
      <AppFields
        draft={draft}
        change={(part) => setDraft({ ...draft, ...part })}
        hasNoRedirects={app.redirect_uris.length === 0}
      />
      <Note kind="info">{words.changesNote}</Note>
      <FormActions>
        <Button type="submit" kind="primary" isPending={save.isPending}>
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}
