import { getDeliveryAsAdmin, redeliverDeliveryAsAdmin } from '@tieline/sdk/api';
import type { AttemptView } from '@tieline/sdk/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Badge } from '../../../ui/data/badge.js';
import { Code } from '../../../ui/data/code.js';
import { formatDuration } from '../../../ui/data/formats.js';
import { Time } from '../../../ui/data/time.js';
import { useEventName } from '../../../ui/deliveries/event-name.js';
import { FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import styles from '../bots.module.css';
import { activityWords } from './activity-words.js';
import { indented } from './indented.js';

/** A delivery with its request and attempts, and a button to send it again. */
export function Delivery({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords(activityWords);
  const nameOf = useEventName();
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const { data, error, refetch } = useQuery({
    queryKey: ['bots', 'delivery', id],
    queryFn: async () => (await getDeliveryAsAdmin({ client, path: { id } })).delivery,
  });
  const redeliver = useMutation({
    mutationFn: () => redeliverDeliveryAsAdmin({ client, path: { id } }),
    onSuccess: async () => {
      toast({ kind: 'good', text: words.redelivered });
      onClose();
      await queries.invalidateQueries({ queryKey: ['bots', 'deliveries'] });
    },
  });
  return (
    <Dialog title={data ? nameOf(data.event_type) : words.delivery} isOpen isWide onClose={onClose}>
      {!data && (error ? <Failure failure={error} onRetry={refetch} /> : <Loading />)}
      {redeliver.error && <Failure failure={redeliver.error} />}
      {data && (
        <>
          <div className={styles.part}>
            <h3>{words.attemptLog}</h3>
            <Attempts attempts={data.attempt_log} />
          </div>
          <div className={styles.part}>
            <h3>{words.request}</h3>
            <Code text={indented(data.request.body)} what={words.request} />
          </div>
          <FormActions>
            <Button onPress={() => redeliver.mutate()} isPending={redeliver.isPending}>
              {words.redeliver}
            </Button>
          </FormActions>
        </>
      )}
    </Dialog>
  );
}

function Attempts({ attempts }: { attempts: readonly AttemptView[] }) {
  const words = useWords(activityWords);
  const { language } = usePreferences();
  return (
    <ol className={styles.attempts}>
      {attempts.map((attempt) => (
        <li key={attempt.at} className={styles.attempt}>
          <div className={styles.attemptLine}>
            <Answer status={attempt.status_code} />
            <Time at={attempt.at} />
            <span className={styles.soft}>{formatDuration(language, attempt.duration_ms)}</span>
          </div>
          {(attempt.error ?? attempt.response) && <code>{attempt.error ?? attempt.response}</code>}
        </li>
      ))}
      {attempts.length === 0 && <li className={styles.soft}>{words.noAttempts}</li>}
    </ol>
  );
}

/** Shows the HTTP status of a response, or that there was none. */
export function Answer({ status }: { status: number | null }) {
  const words = useWords(activityWords);
  if (status === null) return <Badge kind="bad">{words.noAnswer}</Badge>;
  return <Badge kind={status < 300 ? 'good' : 'bad'}>{status}</Badge>;
}
