import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';

/** Bots of the space. */
export const botsRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/bots',
    component: lazyRouteComponent(() => import('./bots-page.js'), 'BotsPage'),
  }),
] as const;
