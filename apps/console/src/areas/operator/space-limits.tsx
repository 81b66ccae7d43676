import { getLimitsAsOperator } from '@tieline/sdk/api';
import type { LimitView, SpaceView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { usePreferences } from '../../language/preferences-context.js';
import { useWords } from '../../language/use-words.js';
import { formatNumber } from '../../ui/data/formats.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import styles from './operator.module.css';
import { operatorWords } from './words.js';

/** Usage of a space against the limits of its plan. */
export function SpaceLimits({ space: { id, plan } }: { space: SpaceView }) {
  const words = useWords(operatorWords);
  const { language } = usePreferences();
  const client = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'limits', id, plan],
    queryFn: () => getLimitsAsOperator({ client, path: { id } }),
  });
  return (
    <section className={styles.part} aria-label={words.limitsTitle}>
      <h3>{words.limitsTitle}</h3>
      {!data && (error ? <Failure failure={error} onRetry={refetch} /> : <Loading />)}
      {data?.limits.map((limit) => (
        <Used key={limit.name} limit={limit} />
      ))}
      {data && (
        <p className={styles.soft}>{words.rate(formatNumber(language, data.deliveries_per_second))}</p>
      )}
    </section>
  );
}

function Used({ limit: { name, used, limit } }: { limit: LimitView }) {
  const words = useWords(operatorWords);
  const { language } = usePreferences();
  return (
    <label className={styles.used}>
      <span>{words[name]}</span>
      <span className={styles.numbers}>
        {words.usedOf(formatNumber(language, used), formatNumber(language, limit))}
      </span>
      <meter
        className={styles.meter}
        min={0}
        max={limit}
        high={limit * 0.9}
        optimum={0}
        value={Math.min(used, limit)}
      />
    </label>
  );
}
