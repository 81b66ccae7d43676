import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';

/** Routes for incoming webhooks. */
export const incomingRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/incoming',
    component: lazyRouteComponent(() => import('./incoming-page.js'), 'IncomingPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/incoming/new',
    component: lazyRouteComponent(() => import('./wizard/wizard-page.js'), 'WizardPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/incoming/$id',
    component: lazyRouteComponent(() => import('./webhook-page.js'), 'WebhookPage'),
  }),
] as const;
