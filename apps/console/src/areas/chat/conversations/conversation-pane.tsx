import {
  getConversationAsPerson,
  joinConversationAsPerson,
  leaveConversationAsPerson,
  muteConversationAsPerson,
  setFocusAsPerson,
} from '@tieline/sdk/api';
import type { ConversationView } from '@tieline/sdk/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { Link } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Menu } from '../../../ui/actions/menu.js';
import { ArrowLeft } from '../../../ui/icons.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { Loading } from '../../../ui/page/loading.js';
import { HomeTabs } from '../app-blocks/home-tabs.js';
import styles from '../chat.module.css';
import { Composer } from '../composer/composer.js';
import { useLive, useLiveEvents } from '../live/live-context.js';
import { useRoom } from '../live/rooms-context.js';
import { Tasks } from '../message/tasks.js';
import { useNames } from '../names.js';
import { DisturbSettings } from '../settings/disturb-settings.js';
import { Pins } from '../settings/pins.js';
import { StatusLine } from '../timeline/status-line.js';
import { ThreadPanel } from '../timeline/thread-panel.js';
import { Timeline } from '../timeline/timeline.js';
import { chatWords } from '../words.js';
import { About } from './about.js';
import { ConversationMark } from './conversation-mark.js';
import { Members } from './members.js';
import { Missing } from './missing.js';
import { conversationsKey } from './use-conversations.js';

const Home = lazyRouteComponent(() => import('../app-blocks/home.js'), 'Home');

interface PaneProps {
  conversationId: string;
  threadId?: string | undefined;
  at?: number | undefined;
  /** `msg_index` in the open thread. */
  reply?: number | undefined;
  /** Shows the Home tab of a bot instead of its messages. */
  isHome?: boolean;
}

/** An open conversation with its messages and message input, and the open thread next to it. */
export function ConversationPane({ conversationId, threadId, at, reply, isHome = false }: PaneProps) {
  const client = useApi();
  const words = useWords(chatWords);
  const { isConnected } = useLive();
  const room = useRoom(conversationId);
  const names = useNames();
  const botAmong = (ids: readonly string[] = []) =>
    names.all.find(({ id, isBot }) => isBot && ids.includes(id))?.id;
  const { data, error, refetch } = useQuery({
    queryKey: ['chat', 'conversation', conversationId],
    queryFn: () => getConversationAsPerson({ client, path: { id: conversationId } }),
  });
  useFocus(conversationId);
  useEffect(() => void room.open(at), [room, at]);
  if (error)
    return (
      <div className={styles.pane}>
        <Missing what="conversation" failure={error} onRetry={refetch} />
      </div>
    );
  if (!data)
    return (
      <div className={styles.pane}>
        <Loading isPage />
      </div>
    );
  const { conversation } = data;
  const botId = conversation.is_direct ? botAmong(conversation.member_ids) : undefined;
  return (
    <>
      <section className={styles.pane} aria-label={words.history}>
        <Head conversation={conversation} />
        {!isConnected && (
          <div className={styles.away} role="status">
            {words.reconnecting}
          </div>
        )}
        {botId !== undefined && <HomeTabs conversationId={conversation.id} isHome={isHome} />}
        {botId !== undefined && isHome ? (
          <Suspense fallback={<Loading isPage />}>
            <Home botId={botId} />
          </Suspense>
        ) : (
          <>
            <Timeline room={room} conversation={conversation} startAt={at} />
            <StatusLine conversationId={conversation.id} />
            <Foot conversation={conversation} />
          </>
        )}
      </section>
      {threadId !== undefined && (
        <ThreadPanel key={threadId} conversation={conversation} rootId={threadId} at={reply} />
      )}
    </>
  );
}

/** The message input, or the reason why the user cannot write. */
function Foot({ conversation }: { conversation: ConversationView }) {
  const words = useWords(chatWords);
  const client = useApi();
  const change = useChange(conversation.id);
  if (conversation.archived_at !== null) return <p className={styles.closed}>{words.archived}</p>;
  if (conversation.is_member) return <Composer conversation={conversation} />;
  return (
    <div className={styles.closed}>
      <span>{words.joinText}</span>
      <Button
        kind="primary"
        isPending={change.isPending}
        onPress={() =>
          change.mutate(() => joinConversationAsPerson({ client, path: { id: conversation.id } }))
        }
      >
        {words.join}
      </Button>
    </div>
  );
}

/** Changes the conversation and reloads it. */
function useChange(conversationId: string) {
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['chat', 'conversation', conversationId] });
      await queries.invalidateQueries({ queryKey: conversationsKey });
    },
    onError: (failure) => toast({ kind: 'bad', failure }),
  });
}

function Head({ conversation }: { conversation: ConversationView }) {
  const words = useWords(chatWords);
  const names = useNames();
  const client = useApi();
  const navigate = useNavigate();
  const change = useChange(conversation.id);
  const [open, setOpen] = useState<'pins' | 'members' | 'tasks' | 'disturb' | 'about' | undefined>();
  const close = () => setOpen(undefined);
  const path = { id: conversation.id };
  const mute = () => muteConversationAsPerson({ client, path, body: { muted: !conversation.muted } });
  const leave = async () => {
    await leaveConversationAsPerson({ client, path });
    await navigate({ to: '/chat' });
  };
  return (
    <header className={styles.head}>
      <Link href="/chat" className={styles.back} aria-label={words.back}>
        <ArrowLeft size={18} />
      </Link>
      <ConversationMark conversation={conversation} size={17} />
      <h2>{names.conversation(conversation)}</h2>
      {conversation.topic !== '' && (
        <p className={styles.topic} title={conversation.topic}>
          {conversation.topic}
        </p>
      )}
      {conversation.muted && <span className={styles.state}>{words.muted}</span>}
      <span className={styles.space} />
      <Menu
        label={words.actionsIn(names.conversation(conversation))}
        actions={[
          { id: 'pins', label: words.pins, onAction: () => setOpen('pins') },
          ...(conversation.is_member
            ? [
                {
                  id: 'mute',
                  label: conversation.muted ? words.unmute : words.mute,
                  onAction: () => change.mutate(mute),
                },
              ]
            : []),
          ...(conversation.is_direct
            ? []
            : [{ id: 'members', label: words.members, onAction: () => setOpen('members') }]),
          ...(conversation.topic === '' && conversation.purpose === ''
            ? []
            : [{ id: 'about', label: words.about, onAction: () => setOpen('about') }]),
          { id: 'tasks', label: words.tasks, onAction: () => setOpen('tasks') },
          { id: 'search', label: words.searchHere, href: `/search?in=${conversation.id}` },
          { id: 'disturb', label: words.notificationSettings, onAction: () => setOpen('disturb') },
          ...(conversation.is_member && !conversation.is_direct
            ? [{ id: 'leave', label: words.leave, onAction: () => change.mutate(leave), isDanger: true }]
            : []),
        ]}
      />
      <Pins conversation={conversation} isOpen={open === 'pins'} onClose={close} />
      <Members conversation={conversation} isOpen={open === 'members'} onClose={close} />
      <About conversation={conversation} isOpen={open === 'about'} onClose={close} />
      <Tasks conversation={conversation} isOpen={open === 'tasks'} onClose={close} />
      <DisturbSettings isOpen={open === 'disturb'} onClose={close} />
    </header>
  );
}

/**
 * Reports the open conversation to the server, which then sends no notifications for it. Repeated
 * for every new stream.
 */
function useFocus(conversationId: string): void {
  const client = useApi();
  const tell = (id: string | null) =>
    void setFocusAsPerson({ client, body: { conversation_id: id } }).catch(() => undefined);
  useLiveEvents(({ event }) => event === 'connected' && tell(conversationId));
  useEffect(() => {
    tell(conversationId);
    return () => tell(null);
  }, [conversationId]);
}
