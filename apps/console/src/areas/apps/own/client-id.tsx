import type { AppView } from '@tieline/sdk/api';
import { useWords } from '../../../language/use-words.js';
import { CopyButton } from '../../../ui/actions/copy.js';
import { Fact, Facts } from '../../../ui/page/page.js';
import styles from './own.module.css';
import { ownWords } from './words.js';

/** How the app names itself in OAuth. */
export function ClientId({ app }: { app: AppView }) {
  const words = useWords(ownWords);
  return (
    <Facts>
      <Fact name={words.clientId}>
        <span className={styles.clientId}>
          <code>{app.client_id}</code>
          <CopyButton text={app.client_id} what={words.clientId} />
        </span>
      </Fact>
      <Fact name={words.clientType}>{words[app.client_type]}</Fact>
    </Facts>
  );
}
