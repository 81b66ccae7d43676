import type { AskingAppView } from '@tieline/sdk/api';
import { Link } from 'react-aria-components';
import { useWords } from '../../language/use-words.js';
import { Fact, Facts } from '../../ui/page/page.js';
import styles from './consent.module.css';
import { consentWords } from './words.js';

/** Which app asks, and whose it is. */
export function AskingApp({ app, isInstalled }: { app: AskingAppView; isInstalled: boolean }) {
  const words = useWords(consentWords);
  const { name, description, owner, homepage_url: homepage, client_id: clientId } = app;
  return (
    <>
      <div className={styles.heading}>
        <h1>{words.title(name)}</h1>
        {description !== '' && <p>{description}</p>}
      </div>
      <Facts>
        {owner === '' ? (
          <Fact name={words.address}>{clientId}</Fact>
        ) : (
          <Fact name={words.owner}>{owner}</Fact>
        )}
        {homepage !== '' && (
          <Fact name={words.homepage}>
            {homepage.startsWith('https://') ? (
              <Link href={homepage} target="_blank" rel="noreferrer">
                {homepage}
              </Link>
            ) : (
              homepage
            )}
          </Fact>
        )}
        <Fact name={words.result}>{app.redirect_host}</Fact>
        {isInstalled && <Fact name={words.state}>{words.installed}</Fact>}
      </Facts>
    </>
  );
}
