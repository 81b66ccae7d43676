import {
  getDeliveryStatsAsAdmin,
  listBotsAsAdmin,
  listNoticesAsAdmin,
  listOutgoingWebhooksAsAdmin,
} from '@tieline/sdk/api';
import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../app/api/door.js';
import { targetsOf } from './targets.js';

/** How the deliveries of the last hour go. Workers write their counts every five seconds. */
export const statsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['overview', 'stats'],
    queryFn: () => getDeliveryStatsAsAdmin({ client }),
    refetchInterval: 5_000,
  });

/** Receivers and notices. */
export const troubleQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['overview', 'trouble'],
    queryFn: async () => {
      const [{ bots }, { subscriptions }, { notices }] = await Promise.all([
        listBotsAsAdmin({ client, query: { limit: 200 } }),
        listOutgoingWebhooksAsAdmin({ client, query: { limit: 200 } }),
        listNoticesAsAdmin({ client, query: { limit: 20 } }),
      ]);
      return {
        isNew: bots.length + subscriptions.length === 0,
        targets: targetsOf(bots, subscriptions),
        notices,
      };
    },
    refetchInterval: 10_000,
  });
