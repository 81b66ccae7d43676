import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';

/** Route for active sessions. */
export const sessionsRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/sessions',
    component: lazyRouteComponent(() => import('./sessions-page.js'), 'SessionsPage'),
  }),
] as const;
