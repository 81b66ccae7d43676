import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider as TanStackRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { ClockProvider } from '../ui/data/time.js';
import { ToastProvider } from '../ui/overlays/toast.js';
import { DoorContext } from './api/api-context.js';
import { Door } from './api/door.js';
import type { SessionKind } from './api/door.js';
import { ApiFailure } from './api/failure.js';
import { PreferencesProvider, usePreferences } from './preferences/preferences-context.js';
import { makeRouter } from './router.js';
import { InviteContext } from './session/invite-context.js';
import { end, operatorQuery, personQuery } from './session/session.js';

/** The whole console. @param invite what the page was opened with, see `inviteIn` */
export function App({ invite }: { invite: string | undefined }) {
  const [{ door, queries, router }] = useState(makeParts);
  return (
    <PreferencesProvider>
      <DoorContext value={door}>
        <QueryClientProvider client={queries}>
          <InviteContext value={invite}>
            <Spoken>
              <RouterProvider navigate={(href) => router.history.push(href)}>
                <ToastProvider>
                  <ClockProvider>
                    <TanStackRouter router={router} />
                  </ClockProvider>
                </ToastProvider>
              </RouterProvider>
            </Spoken>
          </InviteContext>
        </QueryClientProvider>
      </DoorContext>
    </PreferencesProvider>
  );
}

/** The parts of React Aria speak the reader's language as well. */
function Spoken({ children }: { children: ReactNode }) {
  const { language } = usePreferences();
  return <I18nProvider locale={language === 'ru' ? 'ru-RU' : 'en-GB'}>{children}</I18nProvider>;
}

function makeParts() {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: isWorthRepeating, staleTime: 5_000 } },
  });
  const events = {
    signedOut: (kind: SessionKind) => end(queries, door, kind),
    csrfLost: (kind: SessionKind) => freshCsrfToken(queries, door, kind),
  };
  const door: Door = new Door(window.location.origin, events, undefined, absentSessions());
  return { door, queries, router: makeRouter({ door, queries }) };
}

/**
 * The kinds of sessions that the browser has no cookie of, as the server wrote it into the page;
 * none where it wrote nothing.
 */
function absentSessions(): SessionKind[] {
  const hint = document.querySelector<HTMLMetaElement>('meta[name="tieline-sessions"]')?.content ?? 'unknown';
  if (hint === 'unknown') return [];
  return (['person', 'operator'] as const).filter((kind) => !hint.split(' ').includes(kind));
}

/** What the server refused stays refused; what did not reach it may pass. */
function isWorthRepeating(times: number, failure: Error): boolean {
  const status = failure instanceof ApiFailure ? failure.status : 0;
  return times < 2 && (status === 0 || status === 503);
}

async function freshCsrfToken(queries: QueryClient, door: Door, kind: SessionKind) {
  const session =
    kind === 'person'
      ? await queries.fetchQuery({ ...personQuery(door), staleTime: 0 })
      : await queries.fetchQuery({ ...operatorQuery(door), staleTime: 0 });
  return session?.csrf_token;
}
