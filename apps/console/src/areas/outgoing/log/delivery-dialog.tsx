import { getDeliveryAsAdmin } from '@tieline/sdk/api';
import type { AttemptView, DeliveryDetailView, SubscriptionView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Code } from '../../../ui/data/code.js';
import { formatDuration, formatInstant } from '../../../ui/data/formats.js';
import { Time } from '../../../ui/data/time.js';
import { DeliveryState } from '../../../ui/deliveries/delivery-state.js';
import { FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { Fact, Facts } from '../../../ui/page/page.js';
import styles from './log.module.css';
import { pretty } from './pretty.js';
import { useRedeliver } from './redeliver.js';
import { WhyNext } from './why-next-text.js';
import { logWords } from './words.js';

interface DeliveryDialogProps {
  id: string;
  subscription: SubscriptionView;
  onClose: () => void;
  onOpen: (id: string) => void;
}

/** A delivery with its request, its attempts and the next attempt. */
export function DeliveryDialog({ id, subscription, onClose, onOpen }: DeliveryDialogProps) {
  const words = useWords(logWords);
  const client = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['outgoing', 'delivery', id],
    queryFn: () => getDeliveryAsAdmin({ client, path: { id } }),
    refetchInterval: (query) => (query.state.data?.delivery.status === 'pending' ? 1500 : 10_000),
  });
  return (
    <Dialog isOpen isWide title={words.delivery} onClose={onClose}>
      {error && !data && <Failure failure={error} onRetry={refetch} />}
      {!data && !error && <Loading />}
      {data && <Detail delivery={data.delivery} subscription={subscription} onOpen={onOpen} />}
    </Dialog>
  );
}

interface DetailProps {
  delivery: DeliveryDetailView;
  subscription: SubscriptionView;
  onOpen: (id: string) => void;
}

function Detail({ delivery, subscription, onOpen }: DetailProps) {
  const words = useWords(logWords);
  const { language } = usePreferences();
  const redeliver = useRedeliver(([made]) => made && onOpen(made));
  const again = delivery.redelivered_as;
  return (
    <div className={styles.detail}>
      <Facts>
        <Fact name={words.status}>
          <DeliveryState delivery={delivery} />
        </Fact>
        <Fact name={words.why}>
          <WhyNext delivery={delivery} subscription={subscription} />
        </Fact>
        <Fact name={words.type}>
          <code>{delivery.event_type}</code>
        </Fact>
        <Fact name={words.time}>{formatInstant(language, delivery.created_at)}</Fact>
        {again && (
          <Fact name={words.redeliveredAs}>
            <Button isSmall onPress={() => onOpen(again)}>
              {again}
            </Button>
          </Fact>
        )}
      </Facts>
      <section className={styles.part} aria-label={words.timeline}>
        <h3>{words.timeline}</h3>
        {delivery.attempt_log.length === 0 && <p className={styles.soft}>{words.noAttempts}</p>}
        <ol className={styles.timeline}>
          {delivery.attempt_log.map((attempt, index) => (
            <Attempt key={attempt.at} attempt={attempt} number={index + 1} />
          ))}
        </ol>
      </section>
      <section className={styles.part} aria-label={words.request}>
        <h3>{words.request}</h3>
        <Code text={headerLines(delivery.request.headers)} what={words.headers} />
        <Code text={pretty(delivery.request.body)} what={words.body} />
      </section>
      {delivery.status !== 'pending' && (
        <FormActions>
          <Button
            kind="primary"
            onPress={() => redeliver.mutate([delivery.delivery_id])}
            isPending={redeliver.isPending}
          >
            {words.redeliver}
          </Button>
        </FormActions>
      )}
    </div>
  );
}

function Attempt({ attempt, number }: { attempt: AttemptView; number: number }) {
  const words = useWords(logWords);
  const { language } = usePreferences();
  const { status_code: code, error, response } = attempt;
  const isGood = code !== null && code >= 200 && code < 300;
  return (
    <li className={`${styles.attempt} ${isGood ? styles.good : styles.bad}`}>
      <div className={styles.line}>
        <strong>{words.attempt(number)}</strong>
        <code>{code ?? words.noAnswer}</code>
        <span className={styles.soft}>
          {formatDuration(language, attempt.duration_ms)} · <Time at={attempt.at} />
        </span>
      </div>
      {error && <span>{error}</span>}
      {code !== null && response === '' && <span className={styles.soft}>{words.emptyResponse}</span>}
      {response !== '' && <Code text={pretty(response)} what={words.response(number)} />}
    </li>
  );
}

const headerLines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
