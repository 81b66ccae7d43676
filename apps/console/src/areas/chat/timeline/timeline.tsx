import type { ConversationView } from '@tieline/sdk/api';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { formatDay } from '../../../ui/data/formats.js';
import { Down } from '../../../ui/icons.js';
import { Empty } from '../../../ui/page/empty.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { useRoomState } from '../live/rooms-context.js';
import type { Room } from '../log/room.js';
import { MessageRow } from '../message/message-row.js';
import { OutgoingRow, WhisperRow } from '../message/whisper-row.js';
import { chatWords } from '../words.js';
import { timelineRows } from './rows.js';
import type { TimelineRow } from './rows.js';
import styles from './timeline.module.css';

interface TimelineProps {
  room: Room;
  conversation: ConversationView;
  /** `msg_index` to start at. Default: the latest message. */
  startAt?: number | undefined;
  /** Root message, if this is a thread. */
  rootId?: string;
}

/** Loads more messages when this close to an end, in pixels. */
const NEAR = 3000;

/**
 * The message history. Renders only visible rows, loads more at both ends, and keeps the scroll
 * position.
 */
export function Timeline({ room, conversation, startAt, rootId }: TimelineProps) {
  const words = useWords(chatWords);
  const state = useRoomState(room);
  const rows = useMemo(() => timelineRows(state), [state]);
  const frame = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => (rows[index]?.kind === 'message' ? 64 : 44),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    paddingStart: 12,
    paddingEnd: 12,
    anchorTo: 'end',
    // Open lists close when the content below them scrolls. New messages must not interrupt a
    // selection.
    followOnAppend: !isChoosing(frame.current),
    scrollEndThreshold: 80,
    useAnimationFrameWithResizeObserver: false,
  });
  virtual.shouldAdjustScrollPositionOnItemSizeChange = isAbove;
  const leaveStart = useStart(virtual, rows, state.isLoaded, startAt);
  const readOn = () => {
    const element = frame.current;
    if (!element) return;
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
    setAtEnd(rest < 80);
    if (element.scrollTop < NEAR) void room.older();
    if (rest < NEAR) void room.newer();
  };
  useEffect(readOn, [rows]);
  if (!state.isLoaded && state.failure != null)
    return (
      <div className={styles.frame}>
        <Failure failure={state.failure} onRetry={() => room.open(startAt)} isPage />
      </div>
    );
  if (!state.isLoaded)
    return (
      <div className={styles.frame}>
        <Loading isPage />
      </div>
    );
  const isEmpty = rows.length === 0;
  return (
    <div className={styles.around}>
      {state.failure != null && <Failure failure={state.failure} onRetry={() => room.catchUp()} />}
      <div
        ref={frame}
        className={styles.frame}
        onScroll={readOn}
        onWheel={leaveStart}
        onTouchMove={leaveStart}
        onPointerDown={leaveStart}
        onKeyDown={leaveStart}
        role="log"
        aria-label={words.history}
        tabIndex={0}
      >
        {isEmpty && (
          <Empty title={rootId === undefined ? words.empty : words.noReplies}>
            {rootId === undefined && words.emptyText}
          </Empty>
        )}
        <div className={styles.all} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            const isSought = row?.kind === 'message' && row.message.msg_index === startAt;
            return (
              row && (
                <div
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  className={styles.row}
                  data-sought={isSought ? '' : undefined}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Row row={row} room={room} conversation={conversation} isThread={rootId !== undefined} />
                </div>
              )
            );
          })}
        </div>
      </div>
      {(!isAtEnd || state.log.hasAfter) && (
        <div className={styles.newest}>
          <Button
            isSmall
            icon={<Down size={14} />}
            onPress={() => {
              leaveStart();
              if (state.log.hasAfter) void room.open().then(() => virtual.scrollToEnd());
              else virtual.scrollToEnd();
            }}
          >
            {words.newest}
          </Button>
        </div>
      )}
    </div>
  );
}

/**
 * Keeps the scroll position when content above the viewport resizes, for example a loaded image.
 * Rows measured for the first time count as above if they enter from above.
 */
function isAbove(item: VirtualItem, _by: number, of: Virtualizer<HTMLDivElement, Element>): boolean {
  const top = of.scrollOffset ?? 0;
  if (item.end <= top) return true;
  if (of.itemSizeCache.has(item.key)) return false;
  return item.start < (of.scrollDirection === 'backward' ? top + (of.scrollRect?.height ?? 0) : top);
}

/** Whether a list or calendar of a message is open. */
const isChoosing = (history: HTMLElement | null): boolean =>
  history?.querySelector('[aria-expanded="true"]') != null;

/**
 * Starts at the end or at the requested message. Earlier messages that load later would push the
 * requested one out of view. It is scrolled into view again, unless the user has scrolled.
 *
 * @returns a function to call when the user goes elsewhere
 */
function useStart(
  virtual: ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>,
  rows: readonly TimelineRow[],
  isLoaded: boolean,
  startAt: number | undefined,
): () => void {
  const begun = useRef<{ wanted: number | 'end'; at: number; isLeft: boolean } | undefined>(undefined);
  useLayoutEffect(() => {
    const wanted = startAt ?? 'end';
    if (!isLoaded || rows.length === 0) return;
    const last = begun.current?.wanted === wanted ? begun.current : undefined;
    if (last && (wanted === 'end' || last.isLeft)) return;
    const at = rows.findIndex((row) => row.kind === 'message' && row.message.msg_index === startAt);
    if ((startAt !== undefined && at < 0) || last?.at === at) return;
    begun.current = { wanted, at, isLeft: false };
    virtual.scrollToIndex(at < 0 ? rows.length - 1 : at, { align: at < 0 ? 'end' : 'center' });
  }, [virtual, rows, isLoaded, startAt]);
  return () => {
    if (begun.current) begun.current.isLeft = true;
  };
}

interface RowProps {
  row: TimelineRow;
  room: Room;
  conversation: ConversationView;
  isThread: boolean;
}

function Row({ row, room, conversation, isThread }: RowProps) {
  const words = useWords(chatWords);
  switch (row.kind) {
    case 'beginning':
      return isThread ? null : <p className={styles.beginning}>{words.beginning}</p>;
    case 'day':
      return <Day at={row.at} />;
    case 'message':
      return (
        <MessageRow
          message={row.message}
          room={room}
          conversation={conversation}
          isGoingOn={row.isGoingOn}
          isThread={isThread}
        />
      );
    case 'whisper':
      return <WhisperRow whisper={row.whisper} room={room} conversation={conversation} />;
    case 'outgoing':
      return <OutgoingRow outgoing={row.outgoing} room={room} />;
  }
}

function Day({ at }: { at: string }) {
  const words = useWords(chatWords);
  const { language } = usePreferences();
  const day = new Date(at).toDateString();
  const isToday = day === new Date().toDateString();
  const isYesterday = day === new Date(Date.now() - 86_400_000).toDateString();
  return (
    <div className={styles.day}>
      <span>{isToday ? words.today : isYesterday ? words.yesterday : formatDay(language, at)}</span>
    </div>
  );
}
