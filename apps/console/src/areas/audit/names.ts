import { getSpaceAsAdmin, listIncomingWebhooksAsAdmin, listOutgoingWebhooksAsAdmin } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { useBotNames, useChannels, usePeople } from '../../api/directory.js';
import { useWords } from '../../language/use-words.js';
import { auditWords } from './words.js';

/**
 * Returns a function that maps an id to a name, or to the id itself if there is none.
 *
 * @param told additional known names
 */
export function useNames(told: ReadonlyMap<string, string>): (id: string) => string {
  const words = useWords(auditWords);
  const client = useApi();
  const people = usePeople();
  const bots = useBotNames();
  const channels = useChannels();
  const incoming = useQuery({
    queryKey: ['incoming', 'names'],
    queryFn: () => listIncomingWebhooksAsAdmin({ client, query: { limit: 200 } }),
  });
  const outgoing = useQuery({
    queryKey: ['outgoing', 'targets'],
    queryFn: () => listOutgoingWebhooksAsAdmin({ client, query: { limit: 200 } }),
  });
  const space = useQuery({ queryKey: ['space'], queryFn: () => getSpaceAsAdmin({ client }) });
  const names = new Map<string, string>([
    ['operator', words.operator],
    ['system', words.system],
    ...(space.data ? [[space.data.space.id, space.data.space.name] as const] : []),
    ...[...(people.data ?? []), ...(bots.data ?? [])].map((one) => [one.id, one.display_name] as const),
    ...(channels.data ?? []).map((one) => [one.id, `#${one.name}`] as const),
    ...(incoming.data?.webhooks ?? []).map((one) => [one.id, one.name] as const),
    ...(outgoing.data?.subscriptions ?? []).map((one) => [one.id, one.name] as const),
  ]);
  return (id) => names.get(id) ?? told.get(id) ?? id;
}
