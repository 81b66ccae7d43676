import { getAppManifestAsAdmin } from '@tieline/sdk/api';
import type { AppView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Code } from '../../../ui/data/code.js';
import { saveFile } from '../../../ui/data/save-file.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { Section } from '../../../ui/page/page.js';
import { ChangeByManifest } from './change-by-manifest.js';
import styles from './own.module.css';
import { ownWords } from './words.js';

/** The app as a manifest, to copy or save, and to change the app. */
export function ExportedManifest({ app }: { app: AppView }) {
  const words = useWords(ownWords);
  const client = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['apps', 'own', 'manifest', app.id],
    queryFn: () => getAppManifestAsAdmin({ client, path: { id: app.id } }),
  });
  if (!data) return error ? <Failure failure={error} onRetry={refetch} /> : <Loading />;
  const text = JSON.stringify(data.manifest, null, 2);
  return (
    <div className={styles.parts}>
      <Section
        title={words.manifest}
        intro={words.exportText}
        isPlain
        actions={
          <Button onPress={() => saveFile(`${app.name}.json`, text, 'application/json')}>
            {words.download}
          </Button>
        }
      >
        <Code text={text} what={words.manifest} />
      </Section>
      <ChangeByManifest app={app} text={text} />
    </div>
  );
}
