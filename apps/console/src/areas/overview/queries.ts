import {
  getDeliveryStatsAsAdmin,
  listBotsAsAdmin,
  listFailuresAsAdmin,
  listNoticesAsAdmin,
  listOutgoingWebhooksAsAdmin,
} from '@tieline/sdk/api';
import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../api/api-session.js';

/** Delivery statistics of the last hour. Workers write their counts every five seconds. */
export const statsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['overview', 'stats'],
    queryFn: () => getDeliveryStatsAsAdmin({ client }),
    refetchInterval: 5_000,
  });

/** Failures, notices, and whether the space is new. */
export const troubleQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['overview', 'trouble'],
    queryFn: async () => {
      const [{ failures }, { bots }, { subscriptions }, { notices }] = await Promise.all([
        listFailuresAsAdmin({ client }),
        listBotsAsAdmin({ client, query: { limit: 1 } }),
        listOutgoingWebhooksAsAdmin({ client, query: { limit: 1 } }),
        listNoticesAsAdmin({ client, query: { limit: 20 } }),
      ]);
      return {
        isNew: bots.length + subscriptions.length === 0,
        failures,
        notices,
      };
    },
    refetchInterval: 10_000,
  });
