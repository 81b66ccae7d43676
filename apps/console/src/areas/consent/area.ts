import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { cardRoute } from '../../app/routes.js';

/** Route of the consent page. The person came from an app, so it has no navigation. */
export const consentRoutes = [
  createRoute({
    getParentRoute: () => cardRoute,
    path: '/oauth/consent',
    validateSearch: ({ uid }: Record<string, unknown>): { uid: string } => ({
      uid: typeof uid === 'string' ? uid : String(uid ?? ''),
    }),
    component: lazyRouteComponent(() => import('./consent-page.js'), 'ConsentPage'),
  }),
] as const;
