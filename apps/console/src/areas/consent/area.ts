import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/routes.js';

/** Route of the consent page. It has no navigation, because the person came from an app. */
export const consentRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/oauth/consent',
    validateSearch: ({ uid }: Record<string, unknown>): { uid: string } => ({
      uid: typeof uid === 'string' ? uid : String(uid ?? ''),
    }),
    component: lazyRouteComponent(() => import('./consent-page.js'), 'ConsentPage'),
  }),
] as const;
