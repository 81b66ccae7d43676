import { getAppAsAdmin, listAppsAsAdmin } from '@tieline/sdk/api';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../../api/api-session.js';

/** The apps of the space, newest first. */
export const ownAppsQuery = (client: ApiClient) =>
  infiniteQueryOptions({
    queryKey: ['apps', 'own', 'list'],
    queryFn: ({ pageParam: cursor }) => listAppsAsAdmin({ client, query: { cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
  });

/** One app of the space. */
export const ownAppQuery = (client: ApiClient, id: string) =>
  queryOptions({
    queryKey: ['apps', 'own', 'one', id],
    queryFn: async () => (await getAppAsAdmin({ client, path: { id } })).app,
  });
