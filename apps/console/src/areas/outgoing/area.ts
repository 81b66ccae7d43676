import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';
import { logSearch } from './log/log-search.js';

/** Routes for outgoing webhooks. */
export const outgoingRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/outgoing',
    component: lazyRouteComponent(() => import('./outgoing-page.js'), 'OutgoingPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/outgoing/new',
    component: lazyRouteComponent(() => import('./settings/new-page.js'), 'NewSubscriptionPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/outgoing/$id',
    validateSearch: logSearch,
    component: lazyRouteComponent(() => import('./subscription-page.js'), 'SubscriptionPage'),
  }),
] as const;
