import {
  listBotDeliveriesAsAdmin,
  listBotsAsAdmin,
  listNoticesAsAdmin,
  listOutgoingDeliveriesAsAdmin,
  listOutgoingWebhooksAsAdmin,
} from '@tieline/sdk/api';
import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../app/api/door.js';
import { targetsOf } from './summary.js';
import type { Target } from './summary.js';

/** How many receivers the overview asks about: each is a request of its own. */
const TARGETS = 10;

/** Everything of the overview: receivers, their deliveries of the last hour, and notices. */
export const overviewQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['overview'],
    queryFn: async () => {
      const [{ bots }, { subscriptions }, { notices }] = await Promise.all([
        listBotsAsAdmin({ client, query: { limit: 200 } }),
        listOutgoingWebhooksAsAdmin({ client, query: { limit: 200 } }),
        listNoticesAsAdmin({ client, query: { limit: 20 } }),
      ]);
      const targets = targetsOf(bots, subscriptions);
      const asked = targets.filter(({ isActive }) => isActive).slice(0, TARGETS);
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const pages = await Promise.all(asked.map((target) => deliveriesOf(client, target, since)));
      const isPartial =
        asked.length < targets.filter(({ isActive }) => isActive).length ||
        pages.some(({ next_cursor: next }) => next !== '');
      return {
        hasBots: bots.length > 0,
        targets,
        notices,
        isPartial,
        deliveries: pages.flatMap((page) => page.deliveries),
      };
    },
    refetchInterval: 10_000,
  });

function deliveriesOf(client: ApiClient, { id, kind }: Target, since: string) {
  const options = { client, path: { id }, query: { since, limit: 200 } };
  return kind === 'bot' ? listBotDeliveriesAsAdmin(options) : listOutgoingDeliveriesAsAdmin(options);
}
