import type { DeliveryStatsAnswer } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { isAdmin } from '../../app/session/is-admin.js';
import { usePerson } from '../../app/session/session.js';
import { usePreferences } from '../../language/preferences-context.js';
import { useWords } from '../../language/use-words.js';
import { ButtonLink } from '../../ui/actions/button.js';
import { formatDuration, formatNumber, formatShare } from '../../ui/data/formats.js';
import { Time } from '../../ui/data/time.js';
import { OutboundArrow, Robot } from '../../ui/icons.js';
import { Empty } from '../../ui/page/empty.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { Page, Section } from '../../ui/page/page.js';
import { LatencyChart } from './latency-chart.js';
import { MinutesChart } from './minutes-chart.js';
import styles from './overview.module.css';
import { statsQuery, troubleQuery } from './queries.js';
import { Trouble } from './trouble.js';
import { overviewWords } from './words.js';

/** Start page for admins. Other people see where to go. */
export function OverviewPage() {
  const words = useWords(overviewWords);
  const { role } = usePerson();
  const hasRights = isAdmin(role);
  return (
    <Page title={words.title} intro={hasRights ? words.intro : undefined}>
      {hasRights ? <AdminOverview /> : <ForMembers />}
    </Page>
  );
}

function ForMembers() {
  const words = useWords(overviewWords);
  return (
    <Empty
      title={words.member}
      action={
        <ButtonLink kind="primary" href="/chat">
          {words.memberAction}
        </ButtonLink>
      }
    >
      {words.memberText}
    </Empty>
  );
}

function AdminOverview() {
  const words = useWords(overviewWords);
  const client = useApi();
  const stats = useQuery(statsQuery(client));
  const trouble = useQuery(troubleQuery(client));
  const failed = [stats, trouble].find(({ data, error }) => !data && error);
  if (failed) return <Failure failure={failed.error} onRetry={failed.refetch} />;
  if (!stats.data || !trouble.data) return <Loading />;
  return (
    <>
      {trouble.data.isNew && (
        <Empty
          icon={<Robot />}
          title={words.begin}
          action={
            <ButtonLink kind="primary" href="/bots">
              {words.beginAction}
            </ButtonLink>
          }
        >
          {words.beginText}
        </Empty>
      )}
      {/* A new space shows no charts full of zeros. */}
      {!(trouble.data.isNew && isQuiet(stats.data)) && (
        <>
          <Figures stats={stats.data} />
          <Charts stats={stats.data} />
        </>
      )}
      <Trouble failures={trouble.data.failures} notices={trouble.data.notices} />
    </>
  );
}

function Figures({ stats: { total, waiting } }: { stats: DeliveryStatsAnswer }) {
  const words = useWords(overviewWords);
  const { language } = usePreferences();
  const duration = (ms: number | null) => (ms === null ? words.none : formatDuration(language, ms));
  const { delivered, failed, retried, success_rate: share } = total;
  const figures = [
    {
      name: words.delivered,
      value: formatNumber(language, delivered),
      more: retried > 0 && words.retried(formatNumber(language, retried)),
    },
    {
      name: words.share,
      value: share === null ? words.none : formatShare(language, share),
      more: failed > 0 && words.givenUp(formatNumber(language, failed)),
      isBad: failed > 0,
    },
    { name: words.p50, value: duration(total.p50_ms), more: words.toAnswer },
    { name: words.p95, value: duration(total.p95_ms), more: words.toAnswer },
    {
      name: words.waiting,
      value: formatNumber(language, waiting.deliveries),
      more: waiting.next_at && (
        <>
          {words.next} <Time at={waiting.next_at} />
        </>
      ),
    },
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value, more, isBad }) => (
        <div key={name} className={`${styles.figure} ${isBad ? styles.bad : ''}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {more && <dd className={styles.more}>{more}</dd>}
        </div>
      ))}
    </dl>
  );
}

const isQuiet = ({ total }: DeliveryStatsAnswer): boolean =>
  total.delivered + total.failed + total.retried === 0;

function Charts({ stats }: { stats: DeliveryStatsAnswer }) {
  const words = useWords(overviewWords);
  const { total, minutes } = stats;
  if (isQuiet(stats))
    return (
      <Section title={words.chart} isPlain>
        <Empty icon={<OutboundArrow />} title={words.quiet}>
          {words.quietText}
        </Empty>
      </Section>
    );
  return (
    <div className={styles.charts}>
      <Section title={words.chart}>
        <MinutesChart minutes={minutes} total={total} />
      </Section>
      <Section title={words.latency}>
        <LatencyChart minutes={minutes} total={total} />
      </Section>
    </div>
  );
}
