import { getInteractionAsPerson } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { Note } from '../../ui/page/note.js';
import { Account } from './account.js';
import { ConsentForm } from './consent-form.js';
import styles from './consent.module.css';
import { consentWords } from './words.js';

/** Asks the person whether an app may have what it asks for. */
export function ConsentPage() {
  const words = useWords(consentWords);
  useEffect(() => {
    document.title = `${words.pageTitle} · Tieline`;
  }, [words]);
  return (
    <>
      <Consent />
      <Account />
    </>
  );
}

function Consent() {
  const words = useWords(consentWords);
  const client = useApi();
  const { uid } = useSearch({ from: '/card/oauth/consent' });
  const { data, error } = useQuery({
    queryKey: ['consent', uid],
    queryFn: () => getInteractionAsPerson({ client, path: { uid } }),
    enabled: uid !== '',
    // Once answered, the request is gone. The page keeps showing it until the browser leaves.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (uid === '')
    return (
      <Problem>
        <Note kind="bad">{words.noRequest}</Note>
      </Problem>
    );
  if (data) return <ConsentForm interaction={data.interaction} />;
  if (error)
    return (
      <Problem>
        <Failure failure={error} />
        <p>{words.startAgain}</p>
      </Problem>
    );
  return <Loading />;
}

/** Tells why the person cannot answer. */
function Problem({ children }: { children: ReactNode }) {
  const words = useWords(consentWords);
  return (
    <>
      <div className={styles.heading}>
        <h1>{words.failed}</h1>
      </div>
      {children}
    </>
  );
}
