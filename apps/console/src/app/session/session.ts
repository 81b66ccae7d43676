import {
  getSessionAsOperator,
  getSessionAsPerson,
  showInviteAsPerson,
  signInAsOperator,
  signInAsPerson,
  signOutAsOperator,
  signOutAsPerson,
} from '@tieline/sdk/api';
import type { OpenSessionAnswer, OwnSessionAnswer } from '@tieline/sdk/api';
import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApiSession } from '../../api/api-context.js';
import type { ApiSession, SessionKind } from '../../api/api-session.js';
import { ApiFailure } from '../../api/failure.js';

/** Query key of a session. The value null means signed out. */
const sessionKey = (kind: SessionKind) => ['session', kind] as const;

/** Query for the signed-in person, or null. */
export const personQuery = (apiSession: ApiSession) =>
  queryOptions({
    queryKey: sessionKey('person'),
    queryFn: () =>
      kept<OwnSessionAnswer>(apiSession, 'person', () => getSessionAsPerson({ client: apiSession.client })),
    staleTime: 60_000,
  });

/** Query for the operator's session, or null. */
export const operatorQuery = (apiSession: ApiSession) =>
  queryOptions({
    queryKey: sessionKey('operator'),
    queryFn: () =>
      kept<OpenSessionAnswer>(apiSession, 'operator', () =>
        getSessionAsOperator({ client: apiSession.client }),
      ),
    staleTime: 60_000,
  });

/**
 * Treats 401 as signed out instead of a failure. Also 404, because the operator's endpoints may be
 * on another port.
 */
async function kept<T extends { csrf_token: string }>(
  apiSession: ApiSession,
  kind: SessionKind,
  ask: () => Promise<T>,
): Promise<T | null> {
  if (apiSession.knowsOfNoSession(kind)) return null;
  try {
    const session = await ask();
    apiSession.keepCsrfToken(kind, session.csrf_token);
    return session;
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || (failure.status !== 401 && failure.status !== 404)) throw failure;
    apiSession.keepCsrfToken(kind, '');
    return null;
  }
}

/** Returns the signed-in person. Only inside `SessionGate`. */
export function usePerson(): OwnSessionAnswer['user'] {
  const { data } = useSuspenseQuery(personQuery(useApiSession()));
  // Signing out can rerender the content just before the gate removes it.
  const [known] = useState(data);
  const session = data ?? known;
  if (!session) throw new Error('nobody is signed in: render inside <SessionGate>');
  return session.user;
}

/** Returns who an invite signs in, without using it up. */
export function useInvited(invite: string) {
  const apiSession = useApiSession();
  return useQuery({
    // The key omits the invite, which is a secret. A page has at most one.
    queryKey: ['session', 'invite'],
    queryFn: () => showInviteAsPerson({ client: apiSession.client, body: { invite } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Exchanges a token or an invite for a session. The credential is not stored. */
export function useSignIn() {
  const apiSession = useApiSession();
  const queries = useQueryClient();
  return useMutation({
    // The OpenAPI types declare both as objects, but they are strings.
    mutationFn: (credential: { token: string } | { invite: string }) =>
      signInAsPerson({ client: apiSession.client, body: credential as object }),
    onSuccess: (session) => begin(queries, apiSession, 'person', session),
    gcTime: 0,
  });
}

/** Exchanges the operator's token for an operator session. */
export function useOperatorSignIn() {
  const apiSession = useApiSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => signInAsOperator({ client: apiSession.client, body: { token } }),
    onSuccess: (session) => begin(queries, apiSession, 'operator', session),
    gcTime: 0,
  });
}

/** Ends the session in this browser and on the server. */
export function useSignOut(kind: SessionKind) {
  const apiSession = useApiSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { client } = apiSession;
      await (kind === 'person' ? signOutAsPerson({ client }) : signOutAsOperator({ client }));
    },
    onSuccess: () => end(queries, apiSession, kind),
  });
}

function begin(
  queries: QueryClient,
  apiSession: ApiSession,
  kind: SessionKind,
  session: { csrf_token: string },
): void {
  forgetAnswers(queries, kind);
  apiSession.keepCsrfToken(kind, session.csrf_token);
  queries.setQueryData(sessionKey(kind), session);
}

/** Removes everything a session showed after it ended, for whatever reason. */
export function end(queries: QueryClient, apiSession: ApiSession, kind: SessionKind): void {
  apiSession.keepCsrfToken(kind, '');
  queries.setQueryData(sessionKey(kind), null);
  forgetAnswers(queries, kind);
}

/** Keys of the operator's queries start with `operator`. All others belong to the person. */
function forgetAnswers(queries: QueryClient, kind: SessionKind): void {
  queries.removeQueries({
    predicate: ({ queryKey: [first] }) =>
      first !== 'session' && (first === 'operator') === (kind === 'operator'),
  });
}
