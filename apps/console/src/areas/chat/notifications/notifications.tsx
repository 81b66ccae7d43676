import { getMessageAsPerson, listNotificationsAsPerson } from '@tieline/sdk/api';
import type { NotificationView } from '@tieline/sdk/api';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Badge } from '../../../ui/data/badge.js';
import { Paged } from '../../../ui/data/more.js';
import { Time } from '../../../ui/data/time.js';
import { Bell } from '../../../ui/icons.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Empty } from '../../../ui/page/empty.js';
import { useReadable } from '../conversations/use-readable.js';
import { useLiveEvents } from '../live/live-context.js';
import { useNames } from '../names.js';
import { chatWords } from '../words.js';
import styles from './notifications.module.css';

const KEY = ['chat', 'notifications'];

/** Notifications of the person behind a bell with the number of new ones. */
export function Notifications() {
  const words = useWords(chatWords);
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [count, setCount] = useState(0);
  useLiveEvents(({ event }) => {
    if (event !== 'notification') return;
    if (!isOpen) setCount((before) => before + 1);
    void queries.invalidateQueries({ queryKey: KEY }, { cancelRefetch: false });
  });
  // The visible number is part of the accessible name.
  const shown = count > 99 ? '99+' : String(count);
  const open = () => {
    setCount(0);
    setOpen(true);
  };
  return (
    <>
      <Button
        isSmall
        icon={<Bell size={14} />}
        aria-label={count === 0 ? words.notifications : words.newNotifications(shown)}
        onPress={open}
      >
        {count === 0 ? null : shown}
      </Button>
      <Dialog title={words.notifications} isOpen={isOpen} onClose={() => setOpen(false)} isWide>
        {isOpen && <List onClose={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

function List({ onClose }: { onClose: () => void }) {
  const words = useWords(chatWords);
  const client = useApi();
  const notifications = useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ pageParam: cursor }) => listNotificationsAsPerson({ client, query: { limit: 20, cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
    staleTime: 0,
  });
  return (
    <Paged query={notifications} rows={(page) => page.notifications}>
      {(shown) =>
        shown.length === 0 ? (
          <Empty icon={<Bell size={24} />} title={words.noNotifications}>
            {words.noNotificationsText}
          </Empty>
        ) : (
          <ul className={styles.list}>
            {shown.map((notification) => (
              <li key={notification.id}>
                <Line notification={notification} onPress={onClose} />
              </li>
            ))}
          </ul>
        )
      }
    </Paged>
  );
}

const LOOKS = { critical: 'bad', warning: 'warning', info: 'info' } as const;

function Line({ notification, onPress }: { notification: NotificationView; onPress: () => void }) {
  const words = useWords(chatWords);
  const names = useNames();
  const client = useApi();
  const { message_id: messageId, conversation_id: conversationId, severity, created_at: at } = notification;
  const { data, isPending } = useQuery({
    queryKey: ['chat', 'message', messageId],
    queryFn: () => getMessageAsPerson({ client, path: { id: messageId } }),
    retry: false,
    staleTime: 60_000,
  });
  const place = useReadable().find(({ id }) => id === conversationId);
  const severities = { critical: words.critical, warning: words.warning, info: words.info };
  return (
    <Link href={`/c/${conversationId}/${messageId}`} className={styles.line} onPress={onPress}>
      <span className={styles.head}>
        <Badge kind={LOOKS[severity]}>{severities[severity]}</Badge>
        <strong>{data ? names.author(data.message) : ''}</strong>
        {place && <span>{names.conversation(place)}</span>}
        <Time at={at} />
      </span>
      <span className={styles.text}>{data?.message.text ?? (isPending ? '…' : words.notificationGone)}</span>
    </Link>
  );
}
