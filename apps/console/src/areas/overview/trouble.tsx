import { dismissNoticeAsAdmin } from '@tieline/sdk/api';
import type { FailureView, NoticeView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Badge } from '../../ui/data/badge.js';
import { Time } from '../../ui/data/time.js';
import { noticeText } from '../../ui/notices/notice-text.js';
import { noticeWords } from '../../ui/notices/words.js';
import { Failure } from '../../ui/page/failure.js';
import { Section } from '../../ui/page/page.js';
import styles from './overview.module.css';
import { overviewWords } from './words.js';

/** Number of failures shown initially. */
const FIRST = 8;

/** Current failures, and notices that were not dismissed. */
export function Trouble({
  failures,
  notices,
}: {
  failures: readonly FailureView[];
  notices: readonly NoticeView[];
}) {
  const words = useWords(overviewWords);
  const [isWhole, setWhole] = useState(false);
  const told = new Set(failures.map(({ object_id: id }) => id));
  const others = notices.filter(({ object_id: id }) => !told.has(id));
  return (
    <Section title={words.trouble}>
      {failures.length + others.length === 0 && <p className={styles.soft}>{words.noTrouble}</p>}
      <ul className={styles.list}>
        {failures.slice(0, isWhole ? undefined : FIRST).map((failure) => (
          <Failing key={`${failure.object_id} ${failure.kind}`} failure={failure} />
        ))}
        {others.map((notice) => (
          <Notice key={notice.id} notice={notice} />
        ))}
      </ul>
      {!isWhole && failures.length > FIRST && (
        <Button isSmall onPress={() => setWhole(true)}>
          {words.showAll(failures.length)}
        </Button>
      )}
    </Section>
  );
}

function Failing({ failure }: { failure: FailureView }) {
  const words = useWords(overviewWords);
  const { name, object_type: type, kind, consecutive_failures: count, open_until: until } = failure;
  const isOff = kind === 'switched_off';
  return (
    <li className={styles.entry}>
      <div className={styles.text}>
        <span>
          <Link href={addressOf(failure)}>{name}</Link> <span className={styles.soft}>{words[type]}</span>
        </span>
        <span className={styles.soft}>
          {kind === 'callbacks'
            ? words.callbacksText(count)
            : isOff
              ? words.offText(count)
              : words.pausedText(count)}{' '}
          {until !== undefined && (
            <>
              {words.nextTry} <Time at={until} />
            </>
          )}
        </span>
      </div>
      <Badge kind={kind === 'paused' && until === undefined ? 'warning' : 'bad'}>
        {isOff
          ? words.off
          : kind === 'callbacks'
            ? words.silent
            : until === undefined
              ? words.trial
              : words.paused}
      </Badge>
    </li>
  );
}

/** Returns the page where a failure is shown and fixed. */
function addressOf({ object_type: type, object_id: id, kind }: FailureView): string {
  if (type === 'outgoing_webhook') return `/outgoing/${id}`;
  if (type === 'incoming_webhook') return `/incoming/${id}`;
  return kind === 'callbacks' ? `/bots/${id}?tab=callbacks` : `/bots/${id}?tab=deliveries`;
}

function Notice({ notice }: { notice: NoticeView }) {
  const words = useWords(overviewWords);
  const text = noticeText(notice, useWords(noticeWords));
  const client = useApi();
  const queries = useQueryClient();
  const dismiss = useMutation({
    mutationFn: () => dismissNoticeAsAdmin({ client, path: { id: notice.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['overview'] }),
  });
  return (
    <li className={styles.entry}>
      <div className={styles.text}>
        <span>{text}</span>
        <span className={styles.soft}>
          <Time at={notice.created_at} />
        </span>
        {dismiss.error && <Failure failure={dismiss.error} />}
      </div>
      <Button
        isSmall
        aria-label={words.dismissNamed(text)}
        onPress={() => dismiss.mutate()}
        isPending={dismiss.isPending}
      >
        {words.dismiss}
      </Button>
    </li>
  );
}
