import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';
import { botTabIn } from './bot-tabs.js';

/** Routes of the bots area. */
export const botsRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/bots',
    component: lazyRouteComponent(() => import('./bots-page.js'), 'BotsPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/bots/$id',
    validateSearch: botTabIn,
    component: lazyRouteComponent(() => import('./bot-page.js'), 'BotPage'),
  }),
] as const;
