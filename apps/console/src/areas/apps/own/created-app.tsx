import type { AppView } from '@tieline/sdk/api';
import { useWords } from '../../../language/use-words.js';
import { ButtonLink } from '../../../ui/actions/button.js';
import { SecretOnce } from '../../../ui/data/secret.js';
import { FormActions } from '../../../ui/forms/form.js';
import { Page, Section } from '../../../ui/page/page.js';
import { ClientId } from './client-id.js';
import styles from './own.module.css';
import { ownWords } from './words.js';

interface CreatedAppProps {
  app: AppView;
  /** Undefined ones do not exist. */
  secrets: readonly { name: string; value: string | undefined }[];
}

/** Shows the secrets of a new app once. */
export function CreatedApp({ app, secrets }: CreatedAppProps) {
  const words = useWords(ownWords);
  return (
    <Page
      title={words.isCreated(app.name)}
      intro={words.createdText}
      back={{ href: '/own-apps', label: words.title }}
    >
      <Section title={app.name}>
        <div className={styles.fields}>
          <ClientId app={app} />
          {secrets.map(
            ({ name, value }) => value !== undefined && <SecretOnce key={name} name={name} value={value} />,
          )}
          <FormActions>
            <ButtonLink kind="primary" href={`/own-apps/${app.id}`} autoFocus>
              {words.open}
            </ButtonLink>
          </FormActions>
        </div>
      </Section>
    </Page>
  );
}
