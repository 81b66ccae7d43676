import {
  dismissNoticeAsAdmin,
  getSpaceAsAdmin,
  listNoticesAsAdmin,
  updateSpaceAsAdmin,
} from '@tieline/sdk/api';
import type { NoticeView } from '@tieline/sdk/api';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { useChannels } from '../../api/directory.js';
import { useWords } from '../../language/use-words.js';
import { Button, ButtonLink } from '../../ui/actions/button.js';
import { Paged } from '../../ui/data/more.js';
import { Table } from '../../ui/data/table.js';
import { Time } from '../../ui/data/time.js';
import { Select } from '../../ui/forms/select.js';
import { Bell } from '../../ui/icons.js';
import { noticeText } from '../../ui/notices/notice-text.js';
import { noticeWords } from '../../ui/notices/words.js';
import { useToast } from '../../ui/overlays/toast.js';
import { Empty } from '../../ui/page/empty.js';
import { Failure } from '../../ui/page/failure.js';
import { Page, Section } from '../../ui/page/page.js';
import { noticeHref } from './notice-href.js';
import styles from './notices.module.css';
import { noticesWords } from './words.js';

/** Lists notices and sets the channel they are also posted in. */
export function NoticesPage() {
  const words = useWords(noticesWords);
  const texts = useWords(noticeWords);
  const client = useApi();
  const query = useInfiniteQuery({
    queryKey: ['notices', 'list'],
    queryFn: ({ pageParam }) => listNoticesAsAdmin({ client, query: { cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
    refetchInterval: 15_000,
  });
  return (
    <Page title={words.title} intro={words.intro}>
      <Paged query={query} rows={(page) => page.notices}>
        {(notices) => (
          <Table
            label={words.title}
            rows={notices}
            rowId={({ id }) => id}
            empty={
              <Empty icon={<Bell />} title={words.none}>
                {words.noneText}
              </Empty>
            }
            columns={[
              {
                id: 'text',
                title: words.text,
                isName: true,
                cell: (one) => <span className={styles.text}>{noticeText(one, texts)}</span>,
              },
              { id: 'time', title: words.time, cell: (one) => <Time at={one.created_at} /> },
              { id: 'do', title: words.open, isActions: true, cell: (one) => <NoticeActions notice={one} /> },
            ]}
          />
        )}
      </Paged>
      <NoticesChannel />
    </Page>
  );
}

function NoticeActions({ notice }: { notice: NoticeView }) {
  const words = useWords(noticesWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const href = noticeHref(notice);
  const text = noticeText(notice, useWords(noticeWords));
  const dismiss = useMutation({
    mutationFn: () => dismissNoticeAsAdmin({ client, path: { id: notice.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['notices'] });
      toast({ kind: 'good', text: words.dismissed });
    },
    onError: (failure) => toast({ kind: 'bad', failure }),
  });
  return (
    <span className={styles.actions}>
      {href && (
        <ButtonLink isSmall href={href} aria-label={words.openNamed(text)}>
          {words.open}
        </ButtonLink>
      )}
      <Button
        isSmall
        kind="quiet"
        aria-label={words.dismissNamed(text)}
        onPress={() => dismiss.mutate()}
        isPending={dismiss.isPending}
      >
        {words.dismiss}
      </Button>
    </span>
  );
}

function NoticesChannel() {
  const words = useWords(noticesWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const channels = useChannels();
  const { data } = useQuery({ queryKey: ['space'], queryFn: () => getSpaceAsAdmin({ client }) });
  const save = useMutation({
    mutationFn: (id: string) =>
      updateSpaceAsAdmin({ client, body: { notices_conversation_id: id === '' ? null : id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['space'] });
      toast({ kind: 'good', text: words.saved });
    },
  });
  if (!data) return null;
  const options = (channels.data ?? []).map(({ id, name }) => ({ id, label: `#${name}` }));
  return (
    <Section title={words.channel} intro={words.channelText}>
      {save.error && <Failure failure={save.error} />}
      <Select
        label={words.where}
        value={data.space.notices_conversation_id ?? ''}
        options={[{ id: '', label: words.nowhere }, ...options]}
        onChange={(id) => save.mutate(id)}
      />
    </Section>
  );
}
