import { getSpaceAsAdmin } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Loading } from '../../ui/page/loading.js';
import { useApi } from '../api/api-context.js';
import { usePush } from '../push/use-push.js';
import { isAdmin } from '../session/is-admin.js';
import { usePerson } from '../session/session.js';
import { AccountMenu } from './account-menu.js';
import { Frame } from './frame.js';
import { isFor } from './audience.js';
import { navigationFor } from './navigation.js';
import { NotForRole } from './not-found.js';

/** Frame of all pages for people. */
export function Layout() {
  const person = usePerson();
  const client = useApi();
  usePush(person.id);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data } = useQuery({
    queryKey: ['space'],
    queryFn: () => getSpaceAsAdmin({ client }),
    enabled: isAdmin(person.role),
    staleTime: 300_000,
  });
  return (
    <Frame
      title={data?.space.name ?? 'Tieline'}
      groups={navigationFor(person.role)}
      account={<AccountMenu person={person} />}
    >
      <Suspense fallback={<Loading isPage />}>
        {isFor(person.role, path) ? <Outlet /> : <NotForRole />}
      </Suspense>
    </Frame>
  );
}
