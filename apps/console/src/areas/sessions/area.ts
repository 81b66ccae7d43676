import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';

/** Where the person is signed in. */
export const sessionsRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/sessions',
    component: lazyRouteComponent(() => import('./sessions-page.js'), 'SessionsPage'),
  }),
] as const;
