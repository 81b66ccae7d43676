import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider as TanStackRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { SessionContext } from '../api/api-context.js';
import { ApiSession } from '../api/api-session.js';
import type { SessionKind } from '../api/api-session.js';
import { ApiFailure } from '../api/failure.js';
import { PreferencesProvider, usePreferences } from '../language/preferences-context.js';
import { ClockProvider } from '../ui/data/time.js';
import { ToastProvider } from '../ui/overlays/toast.js';
import { makeRouter } from './router.js';
import { InviteContext } from './session/invite-context.js';
import { end, operatorQuery, personQuery } from './session/session.js';

/**
 * The console application.
 *
 * @param invite the invite in the page's address, see `inviteIn`
 */
export function App({ invite }: { invite: string | undefined }) {
  const [{ apiSession, queries, router }] = useState(makeParts);
  return (
    <PreferencesProvider>
      <SessionContext value={apiSession}>
        <QueryClientProvider client={queries}>
          <InviteContext value={invite}>
            <AriaLanguage>
              <RouterProvider navigate={(href) => router.history.push(href)}>
                <ToastProvider>
                  <ClockProvider>
                    <TanStackRouter router={router} />
                  </ClockProvider>
                </ToastProvider>
              </RouterProvider>
            </AriaLanguage>
          </InviteContext>
        </QueryClientProvider>
      </SessionContext>
    </PreferencesProvider>
  );
}

/** Sets the language of React Aria components. */
function AriaLanguage({ children }: { children: ReactNode }) {
  const { language } = usePreferences();
  return <I18nProvider locale={language === 'ru' ? 'ru-RU' : 'en-GB'}>{children}</I18nProvider>;
}

function makeParts() {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: isWorthRepeating, staleTime: 5_000 } },
  });
  const events = {
    signedOut: (kind: SessionKind) => end(queries, apiSession, kind),
    csrfLost: (kind: SessionKind) => freshCsrfToken(queries, apiSession, kind),
  };
  const apiSession: ApiSession = new ApiSession(window.location.origin, events, undefined, absentSessions());
  return { apiSession, queries, router: makeRouter({ apiSession, queries }) };
}

/** Returns the kinds of sessions without a cookie, as written into the page by the server. */
function absentSessions(): SessionKind[] {
  const hint = document.querySelector<HTMLMetaElement>('meta[name="tieline-sessions"]')?.content ?? 'unknown';
  if (hint === 'unknown') return [];
  return (['person', 'operator'] as const).filter((kind) => !hint.split(' ').includes(kind));
}

/** Errors from the server are final. Network errors are retried. */
function isWorthRepeating(times: number, failure: Error): boolean {
  const status = failure instanceof ApiFailure ? failure.status : 0;
  return times < 2 && (status === 0 || status === 503);
}

async function freshCsrfToken(queries: QueryClient, apiSession: ApiSession, kind: SessionKind) {
  const session =
    kind === 'person'
      ? await queries.fetchQuery({ ...personQuery(apiSession), staleTime: 0 })
      : await queries.fetchQuery({ ...operatorQuery(apiSession), staleTime: 0 });
  return session?.csrf_token;
}
