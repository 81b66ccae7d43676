import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/api/api-context.js';
import { usePreferences } from '../../app/preferences/preferences-context.js';
import { usePerson } from '../../app/session/session.js';
import { useWords } from '../../app/words/use-words.js';
import { ButtonLink } from '../../ui/actions/button.js';
import { formatNumber, formatShare } from '../../ui/data/formats.js';
import { useNow } from '../../ui/data/time.js';
import { OutboundArrow, Robot } from '../../ui/icons.js';
import { Empty } from '../../ui/page/empty.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { Page, Section } from '../../ui/page/page.js';
import { MinutesChart } from './minutes-chart.js';
import styles from './overview.module.css';
import { overviewQuery } from './queries.js';
import { byMinute, totalsOf } from './summary.js';
import type { Minute } from './summary.js';
import { Trouble } from './trouble.js';
import { overviewWords } from './words.js';

/** What an admin looks at first; others are told where they are. */
export function OverviewPage() {
  const words = useWords(overviewWords);
  const { role } = usePerson();
  const isAdmin = role === 'owner' || role === 'admin';
  return (
    <Page title={words.title} intro={isAdmin ? words.intro : undefined}>
      {isAdmin ? <AdminOverview /> : <Empty title={words.member}>{words.memberText}</Empty>}
    </Page>
  );
}

function AdminOverview() {
  const words = useWords(overviewWords);
  const { data, error, refetch } = useQuery(overviewQuery(useApi()));
  const minutes = byMinute(data?.deliveries ?? [], useNow(10_000));
  if (!data) return error ? <Failure failure={error} onRetry={refetch} /> : <Loading />;
  const isQuiet = data.deliveries.length === 0;
  return (
    <>
      {!data.hasBots && data.targets.length === 0 && (
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
      <Figures minutes={minutes} />
      <Section title={words.chart}>
        {isQuiet ? (
          <Empty icon={<OutboundArrow />} title={words.quiet}>
            {words.quietText}
          </Empty>
        ) : (
          <>
            <MinutesChart minutes={minutes} />
            {data.isPartial && <p className={styles.caption}>{words.partial}</p>}
          </>
        )}
      </Section>
      <Trouble targets={data.targets} notices={data.notices} />
    </>
  );
}

function Figures({ minutes }: { minutes: readonly Minute[] }) {
  const words = useWords(overviewWords);
  const { language } = usePreferences();
  const { success, failed, waiting, share } = totalsOf(minutes);
  const figures = [
    { name: words.delivered, value: formatNumber(language, success) },
    { name: words.share, value: share === undefined ? words.none : formatShare(language, share) },
    { name: words.waiting, value: formatNumber(language, waiting) },
    { name: words.failed, value: formatNumber(language, failed), isBad: failed > 0 },
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value, isBad }) => (
        <div key={name} className={`${styles.figure} ${isBad ? styles.bad : ''}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
