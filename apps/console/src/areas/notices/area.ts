import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';

/** What admins should know. */
export const noticesRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/notices',
    component: lazyRouteComponent(() => import('./notices-page.js'), 'NoticesPage'),
  }),
] as const;
