import { dismissNoticeAsAdmin } from '@tieline/sdk/api';
import type { NoticeView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-aria-components';
import { useApi } from '../../app/api/api-context.js';
import { usePreferences } from '../../app/preferences/preferences-context.js';
import { useWords } from '../../app/words/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Badge } from '../../ui/data/badge.js';
import { formatNumber } from '../../ui/data/formats.js';
import { Time } from '../../ui/data/time.js';
import { Failure } from '../../ui/page/failure.js';
import { Section } from '../../ui/page/page.js';
import styles from './overview.module.css';
import type { Target } from './targets.js';
import { overviewWords } from './words.js';

/** Receivers that nothing is sent to at the moment, and notices that nobody has dismissed. */
export function Trouble({
  targets,
  notices,
}: {
  targets: readonly Target[];
  notices: readonly NoticeView[];
}) {
  const words = useWords(overviewWords);
  const paused = targets.filter(({ breaker, isActive }) => isActive && breaker.state !== 'closed');
  return (
    <Section title={words.trouble}>
      {paused.length + notices.length === 0 && <p className={styles.soft}>{words.noTrouble}</p>}
      <ul className={styles.list}>
        {paused.map((target) => (
          <Paused key={target.id} target={target} />
        ))}
        {notices.map((notice) => (
          <Notice key={notice.id} notice={notice} />
        ))}
      </ul>
    </Section>
  );
}

function Paused({ target: { name, href, breaker } }: { target: Target }) {
  const words = useWords(overviewWords);
  const { language } = usePreferences();
  return (
    <li className={styles.entry}>
      <div className={styles.text}>
        <span>
          <Link href={href}>{name}</Link>
        </span>
        <span className={styles.soft}>
          {words.pausedText(formatNumber(language, breaker.consecutive_failures))}{' '}
          {breaker.open_until && <Time at={breaker.open_until} />}
        </span>
      </div>
      <Badge kind={breaker.state === 'open' ? 'bad' : 'warning'}>
        {breaker.state === 'open' ? words.paused : words.trial}
      </Badge>
    </li>
  );
}

function Notice({ notice }: { notice: NoticeView }) {
  const words = useWords(overviewWords);
  const client = useApi();
  const queries = useQueryClient();
  const dismiss = useMutation({
    mutationFn: () => dismissNoticeAsAdmin({ client, path: { id: notice.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['overview'] }),
  });
  return (
    <li className={styles.entry}>
      <div className={styles.text}>
        <span>{notice.text}</span>
        <span className={styles.soft}>
          <Time at={notice.created_at} />
        </span>
        {dismiss.error && <Failure failure={dismiss.error} />}
      </div>
      <Button
        isSmall
        aria-label={words.dismissNamed(notice.text)}
        onPress={() => dismiss.mutate()}
        isPending={dismiss.isPending}
      >
        {words.dismiss}
      </Button>
    </li>
  );
}
