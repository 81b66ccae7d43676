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
import { useDoor } from '../api/api-context.js';
import type { Door, SessionKind } from '../api/door.js';
import { ApiFailure } from '../api/failure.js';

/** Where the query client keeps a session; null there means signed out. */
export const sessionKey = (kind: SessionKind) => ['session', kind] as const;

/** Whoever is signed in, or null. */
export const personQuery = (door: Door) =>
  queryOptions({
    queryKey: sessionKey('person'),
    queryFn: () => kept<OwnSessionAnswer>(door, 'person', () => getSessionAsPerson({ client: door.client })),
    staleTime: 60_000,
  });

/** The operator's session, or null. */
export const operatorQuery = (door: Door) =>
  queryOptions({
    queryKey: sessionKey('operator'),
    queryFn: () =>
      kept<OpenSessionAnswer>(door, 'operator', () => getSessionAsOperator({ client: door.client })),
    staleTime: 60_000,
  });

/** Signed out is an answer, not a failure. An operator may also be served elsewhere only (404). */
async function kept<T extends { csrf_token: string }>(
  door: Door,
  kind: SessionKind,
  ask: () => Promise<T>,
): Promise<T | null> {
  if (door.knowsOfNoSession(kind)) return null;
  try {
    const session = await ask();
    door.keepCsrfToken(kind, session.csrf_token);
    return session;
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || (failure.status !== 401 && failure.status !== 404)) throw failure;
    door.keepCsrfToken(kind, '');
    return null;
  }
}

/** The person who is signed in. Inside the gate alone, where there is one. */
export function usePerson(): OwnSessionAnswer['user'] {
  const { data } = useSuspenseQuery(personQuery(useDoor()));
  // Signing out may reach what is inside the gate a moment before the gate takes it away.
  const [known] = useState(data);
  const session = data ?? known;
  if (!session) throw new Error('nobody is signed in: render inside <SessionGate>');
  return session.user;
}

/** Whom an invite signs in, which leaves it open. */
export function useInvited(invite: string) {
  const door = useDoor();
  return useQuery({
    // Not by the invite, which is a secret: a page is opened with one at most.
    queryKey: ['session', 'invite'],
    queryFn: () => showInviteAsPerson({ client: door.client, body: { invite } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Exchanges a token or an invite for a session. The credential is forgotten with the call. */
export function useSignIn() {
  const door = useDoor();
  const queries = useQueryClient();
  return useMutation({
    // The document calls both an object; they are texts.
    mutationFn: (credential: { token: string } | { invite: string }) =>
      signInAsPerson({ client: door.client, body: credential as object }),
    onSuccess: (session) => begin(queries, door, 'person', session),
    gcTime: 0,
  });
}

/** Exchanges the operator's token for a session of its own. */
export function useOperatorSignIn() {
  const door = useDoor();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => signInAsOperator({ client: door.client, body: { token } }),
    onSuccess: (session) => begin(queries, door, 'operator', session),
    gcTime: 0,
  });
}

/** Ends the session here and on the server. */
export function useSignOut(kind: SessionKind) {
  const door = useDoor();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { client } = door;
      await (kind === 'person' ? signOutAsPerson({ client }) : signOutAsOperator({ client }));
    },
    onSuccess: () => end(queries, door, kind),
  });
}

function begin(queries: QueryClient, door: Door, kind: SessionKind, session: { csrf_token: string }): void {
  forgetAnswers(queries, kind);
  door.keepCsrfToken(kind, session.csrf_token);
  queries.setQueryData(sessionKey(kind), session);
}

/** What follows the end of a session, whoever ended it: nothing that it showed stays. */
export function end(queries: QueryClient, door: Door, kind: SessionKind): void {
  door.keepCsrfToken(kind, '');
  queries.setQueryData(sessionKey(kind), null);
  forgetAnswers(queries, kind);
}

/** Keys of the operator's queries begin with `operator`; all others are of the person. */
function forgetAnswers(queries: QueryClient, kind: SessionKind): void {
  queries.removeQueries({
    predicate: ({ queryKey: [first] }) =>
      first !== 'session' && (first === 'operator') === (kind === 'operator'),
  });
}
