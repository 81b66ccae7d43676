import type { StreamedMessage, StreamEventsAsPersonResponse } from '@tieline/sdk/api';
import { createContext, use, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useApi } from '../../../api/api-context.js';
import type { ApiClient } from '../../../api/api-session.js';
import { ApiFailure } from '../../../api/failure.js';
import { DataLines, waitBefore } from './sse.js';

/**
 * An event of the person's stream. `connected` is added by the console: the stream has opened, and
 * earlier events were missed.
 */
export type LiveEvent = StreamEventsAsPersonResponse | { event: 'connected' };
export type LiveMessage = StreamedMessage;

interface Live {
  isConnected: boolean;
  /** @returns a function that removes the listener */
  listen(listener: (event: LiveEvent) => void): () => void;
}

/** A bit more than twice the interval of `:ping`. A connection silent for longer is dead. */
const SILENCE_MS = 75_000;

const Context = createContext<Live | undefined>(undefined);

/** Returns the person's stream. Only inside `LiveProvider`. */
export function useLive(): Live {
  const live = use(Context);
  if (!live) throw new Error('no stream: render inside <LiveProvider>');
  return live;
}

/** Calls the listener for each event while the component is mounted. */
export function useLiveEvents(listener: (event: LiveEvent) => void): void {
  const { listen } = useLive();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => listen((event) => latest.current(event)), [listen]);
}

/** Keeps one stream open while the area is shown. Reconnects with growing delays. */
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
      // The session has ended. The gate shows it, and retrying would not help.
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

/** Waits until the time has passed, the network is back, or the stream is closed. */
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
