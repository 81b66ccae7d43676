import type { StreamedMessage, StreamEventsAsPersonResponse } from '@tieline/sdk/api';
import { createContext, use, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useApi } from '../../../app/api/api-context.js';
import type { ApiClient } from '../../../app/api/door.js';
import { ApiFailure } from '../../../app/api/failure.js';
import { DataLines, waitBefore } from './sse.js';

/**
 * An event of the person's stream; `connected` is our own: the stream is open, and what came before
 * was missed.
 */
export type LiveEvent = StreamEventsAsPersonResponse | { event: 'connected' };
export type LiveMessage = StreamedMessage;

interface Live {
  isConnected: boolean;
  /** @returns what ends it */
  listen(listener: (event: LiveEvent) => void): () => void;
}

/** Twice the interval of `:ping`, and some: a connection that is silent for longer is dead. */
const SILENCE_MS = 75_000;

const Context = createContext<Live | undefined>(undefined);

/** The person's stream. Inside <LiveProvider> alone. */
export function useLive(): Live {
  const live = use(Context);
  if (!live) throw new Error('no stream: render inside <LiveProvider>');
  return live;
}

/** Calls back for each event, as long as the component is there. */
export function useLiveEvents(listener: (event: LiveEvent) => void): void {
  const { listen } = useLive();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => listen((event) => latest.current(event)), [listen]);
}

/**
 * Keeps one stream open while the area is shown. It comes back by itself, sooner at first and later
 * in the end.
 */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useApi();
  const [isConnected, setConnected] = useState(true);
  const [listeners] = useState(() => new Set<(event: LiveEvent) => void>());
  const [listen] = useState(() => (listener: (event: LiveEvent) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  });
  useEffect(() => {
    const end = new AbortController();
    const tell = (event: LiveEvent) => {
      if (event.event === 'connected') setConnected(true);
      for (const listener of listeners) listener(event);
    };
    void keepOpen(client, tell, () => setConnected(false), end.signal);
    return () => end.abort();
  }, [client, listeners]);
  return <Context value={{ isConnected, listen }}>{children}</Context>;
}

async function keepOpen(
  client: ApiClient,
  tell: (event: LiveEvent) => void,
  lost: () => void,
  ended: AbortSignal,
): Promise<void> {
  for (let attempt = 0; !ended.aborted; attempt += 1) {
    try {
      await readStream(client, ended, (event) => {
        attempt = 0;
        tell(event);
      });
    } catch (failure) {
      // The session is over: the gate shows it, and nothing comes of trying again.
      if (failure instanceof ApiFailure && failure.status === 401) return;
    }
    if (ended.aborted) return;
    lost();
    await wait(waitBefore(attempt, Math.random()), ended);
  }
}

async function readStream(client: ApiClient, ended: AbortSignal, tell: (event: LiveEvent) => void) {
  const connection = new AbortController();
  const stop = () => connection.abort();
  ended.addEventListener('abort', stop, { once: true });
  let silence = setTimeout(stop, SILENCE_MS);
  try {
    const { data } = await client.get<{ 200: ReadableStream<Uint8Array> }, unknown, true>({
      url: '/api/v1/client/stream',
      parseAs: 'stream',
      signal: connection.signal,
      throwOnError: true,
    });
    tell({ event: 'connected' });
    const reader = (data as ReadableStream<Uint8Array>).getReader();
    const letters = new TextDecoder();
    const lines = new DataLines();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(stop, SILENCE_MS);
      for (const event of lines.take(letters.decode(value, { stream: true }))) tell(event as LiveEvent);
    }
  } finally {
    clearTimeout(silence);
    ended.removeEventListener('abort', stop);
    connection.abort();
  }
}

/** Until the time is over, the network is back, or nobody waits any more. */
const wait = (ms: number, ended: AbortSignal) =>
  new Promise<void>((resolve) => {
    const over = () => {
      clearTimeout(timer);
      removeEventListener('online', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    addEventListener('online', over, { once: true });
    ended.addEventListener('abort', over, { once: true });
  });
