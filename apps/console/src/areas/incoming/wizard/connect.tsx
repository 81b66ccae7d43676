import { listIncomingRequestsAsAdmin } from '@tieline/sdk/api';
import type { IncomingWebhookView } from '@tieline/sdk/api';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useApiSession } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Code } from '../../../ui/data/code.js';
import { SecretOnce } from '../../../ui/data/secret.js';
import { Note } from '../../../ui/page/note.js';
import { Section } from '../../../ui/page/page.js';
import { snippetsFor } from './senders.js';
import type { Sender } from './senders.js';
import styles from './wizard.module.css';
import { stepWords, wizardWords } from './words.js';

interface ConnectProps {
  webhook: IncomingWebhookView;
  sender: Sender;
  url: string;
  token: string;
  /** Set if each request must be signed. */
  secret?: string;
}

/** Shows the snippet with the address and waits for the first request. */
export function Connect({ webhook, sender, url, token, secret }: ConnectProps) {
  const words = useWords(wizardWords);
  const steps = useWords(stepWords);
  const isSigned = webhook.require_signature;
  return (
    <>
      <Section title={words.whatToDo}>
        <div className={styles.stack}>
          <p>{steps[sender.id]}</p>
          {snippetsFor(sender, { url, token, isSigned }).map(({ kind, text }) => (
            <div key={kind} className={styles.snippet}>
              <h3>{words[kind]}</h3>
              <Code text={text} what={words[kind]} />
            </div>
          ))}
          {isSigned && !webhook.has_native_secret && secret && (
            <SecretOnce name={words.secret} value={secret} />
          )}
        </div>
      </Section>
      <Waiting webhook={webhook} token={token} />
    </>
  );
}

/** Polls the request log until a request has arrived since the page opened. */
function Waiting({
  webhook: { id, require_signature: isSigned },
  token,
}: {
  webhook: IncomingWebhookView;
  token: string;
}) {
  const words = useWords(wizardWords);
  const client = useApi();
  const [begun] = useState(() => Date.now());
  const { data } = useQuery({
    queryKey: ['incoming', 'waiting', id],
    queryFn: () => listIncomingRequestsAsAdmin({ client, path: { id }, query: { limit: 1 } }),
    refetchInterval: (query) => (query.state.data?.requests[0]?.verdict === 'accepted' ? 5000 : 1000),
  });
  const last = data?.requests.find(({ time }) => Date.parse(time) > begun - 60_000);
  return (
    <section className={styles.waiting} aria-live="polite">
      {!last && (
        <>
          <div className={styles.pulse}>{words.waiting}</div>
          <p className={styles.hint}>{words.waitingText}</p>
        </>
      )}
      {last?.verdict === 'accepted' && (
        <Note kind="good">
          <strong>{words.arrived}</strong>
          <span>{words.arrivedText}</span>
        </Note>
      )}
      {last?.verdict === 'rejected' && (
        <Note kind="warning">
          <strong>{words.rejected(last.reason)}</strong>
          <span>{words.rejectedText}</span>
        </Note>
      )}
      {isSigned ? <p className={styles.hint}>{words.testUnavailable}</p> : <TestFromHere token={token} />}
    </section>
  );
}

function TestFromHere({ token }: { token: string }) {
  const words = useWords(wizardWords);
  const door = useApiSession();
  const test = useMutation({
    // Bypasses the client, because a refusal by the webhook says nothing about the user's session.
    mutationFn: async () => {
      const { status } = await door.plain(`/api/v1/webhooks/incoming/${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: words.testText, severity: 'info' }),
      });
      if (status >= 300) throw new Error(words.testFailed(status));
    },
    gcTime: 0,
  });
  return (
    <>
      {test.error && <Note kind="bad">{test.error.message}</Note>}
      <div className={styles.line}>
        <Button onPress={() => test.mutate()} isPending={test.isPending}>
          {words.test}
        </Button>
      </div>
    </>
  );
}
