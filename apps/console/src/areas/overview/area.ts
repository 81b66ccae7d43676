import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';

/** Route of the overview. */
export const overviewRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/overview',
    component: lazyRouteComponent(() => import('./overview-page.js'), 'OverviewPage'),
  }),
] as const;
