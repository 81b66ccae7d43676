import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';

/** Routes for notices. */
export const noticesRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/notices',
    component: lazyRouteComponent(() => import('./notices-page.js'), 'NoticesPage'),
  }),
] as const;
