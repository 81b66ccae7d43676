import { listAppRequestsAsAdmin, listInstallationsAsAdmin } from '@tieline/sdk/api';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../../api/api-session.js';

/** Requests of members, newest first: the pending ones, or all of the last 90 days. */
export const requestsQuery = (client: ApiClient, which: 'pending' | 'all') =>
  infiniteQueryOptions({
    queryKey: ['apps', 'requests', which],
    queryFn: ({ pageParam: cursor }) =>
      listAppRequestsAsAdmin({ client, query: which === 'all' ? { cursor } : { cursor, state: which } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
    refetchInterval: 30_000,
  });

/** Installed apps, newest first. */
export const installationsQuery = (client: ApiClient) =>
  infiniteQueryOptions({
    queryKey: ['apps', 'installations'],
    queryFn: ({ pageParam: cursor }) => listInstallationsAsAdmin({ client, query: { cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
  });
