import { deleteAppAsAdmin, rotateClientSecretAsAdmin } from '@tieline/sdk/api';
import type { AppView } from '@tieline/sdk/api';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Menu } from '../../../ui/actions/menu.js';
import { Removal } from '../../../ui/overlays/removal.js';
import { RotateSecret } from '../../../ui/overlays/rotate-secret.js';
import { ownWords } from './words.js';

/** Actions to replace the client secret and to delete the app. */
export function OwnAppActions({ app }: { app: AppView }) {
  const words = useWords(ownWords);
  const client = useApi();
  const [asked, setAsked] = useState<'rotate' | 'remove'>();
  const close = () => setAsked(undefined);
  return (
    <>
      {app.client_type === 'confidential' && (
        <Button onPress={() => setAsked('rotate')}>{words.rotate}</Button>
      )}
      <Menu
        actions={[{ id: 'remove', label: words.remove, isDanger: true, onAction: () => setAsked('remove') }]}
      />
      {asked === 'rotate' && (
        <RotateSecret
          title={words.rotateTitle(app.name)}
          secretName={words.newClientSecret}
          rotate={async (seconds) => {
            const body = { overlap_seconds: seconds };
            const answer = await rotateClientSecretAsAdmin({ client, path: { id: app.id }, body });
            return answer.client_secret;
          }}
          queryKey={['apps', 'own']}
          onClose={close}
        >
          {words.rotateText}
        </RotateSecret>
      )}
      {asked === 'remove' && <Remove app={app} onClose={close} />}
    </>
  );
}

function Remove({ app, onClose }: { app: AppView; onClose: () => void }) {
  const words = useWords(ownWords);
  const client = useApi();
  const queries = useQueryClient();
  const router = useRouter();
  return (
    <Removal
      title={words.removeTitle(app.name)}
      action={words.remove}
      remove={() => deleteAppAsAdmin({ client, path: { id: app.id } })}
      done={words.removed(app.name)}
      onRemoved={async () => {
        await router.navigate({ to: '/own-apps' });
        queries.removeQueries({ queryKey: ['apps', 'own', 'one', app.id] });
        await queries.invalidateQueries({ queryKey: ['apps'] });
      }}
      onClose={onClose}
    >
      {words.removeText}
    </Removal>
  );
}
