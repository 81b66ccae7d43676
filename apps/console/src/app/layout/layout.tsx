import { getSpaceAsAdmin, listApprovalsAsPerson, listAppRequestsAsAdmin } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useApi } from '../../api/api-context.js';
import { Loading } from '../../ui/page/loading.js';
import { usePush } from '../push/use-push.js';
import { isAdmin } from '../session/is-admin.js';
import { usePerson } from '../session/session.js';
import { AccountMenu } from './account-menu.js';
import { isFor } from './audience.js';
import { Frame } from './frame.js';
import { navigationFor } from './navigation.js';
import { NotForRole } from './not-found.js';
import { searchKeys, useSearchShortcut } from './search-shortcut.js';

/** Numbers next to items of the navigation count up to this. */
const MAX_COUNTED = 99;

/** Frame of all pages for people. */
export function Layout() {
  const person = usePerson();
  const client = useApi();
  usePush(person.id);
  useSearchShortcut();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data } = useQuery({
    queryKey: ['space'],
    queryFn: () => getSpaceAsAdmin({ client }),
    enabled: isAdmin(person.role),
    staleTime: 300_000,
  });
  const { data: waiting } = useQuery({
    queryKey: ['approvals', 'count'],
    queryFn: () => listApprovalsAsPerson({ client, query: { limit: MAX_COUNTED } }),
    refetchInterval: 30_000,
  });
  const { data: asked } = useQuery({
    queryKey: ['apps', 'requests', 'count'],
    queryFn: () => listAppRequestsAsAdmin({ client, query: { state: 'pending', limit: MAX_COUNTED } }),
    enabled: isAdmin(person.role),
    refetchInterval: 60_000,
  });
  return (
    <Frame
      title={data?.space.name ?? 'Tieline'}
      groups={navigationFor(person.role)}
      counts={{
        '/waiting': countOf(waiting?.approvals, waiting?.next_cursor),
        '/installed-apps': countOf(asked?.app_requests, asked?.next_cursor),
      }}
      shortcuts={{ '/search': searchKeys() }}
      account={<AccountMenu person={person} />}
    >
      <Suspense fallback={<Loading isPage />}>
        {isFor(person.role, path) ? <Outlet /> : <NotForRole />}
      </Suspense>
    </Frame>
  );
}

/** Returns the number to show. Undefined without items. */
const countOf = (items: readonly unknown[] = [], next = ''): string | undefined =>
  items.length === 0 ? undefined : `${items.length}${next === '' ? '' : '+'}`;
