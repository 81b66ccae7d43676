import { getSpaceAsAdmin } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Loading } from '../../ui/page/loading.js';
import { useApi } from '../api/api-context.js';
import { usePush } from '../push/use-push.js';
import { usePerson } from '../session/session.js';
import { AccountMenu } from './account-menu.js';
import { Frame } from './frame.js';
import { navigationFor } from './navigation.js';

/** The frame around every page of a person. */
export function Layout() {
  const person = usePerson();
  const client = useApi();
  usePush(person.id);
  const isAdmin = person.role === 'owner' || person.role === 'admin';
  const { data } = useQuery({
    queryKey: ['space'],
    queryFn: () => getSpaceAsAdmin({ client }),
    enabled: isAdmin,
    staleTime: 300_000,
  });
  return (
    <Frame
      title={data?.space.name ?? 'Tieline'}
      groups={navigationFor(person.role)}
      account={<AccountMenu person={person} />}
    >
      <Suspense fallback={<Loading isPage />}>
        <Outlet />
      </Suspense>
    </Frame>
  );
}
