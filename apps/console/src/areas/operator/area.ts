import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { operatorRoute } from '../../app/routes.js';

/** Routes for the operator. */
export const operatorRoutes = [
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./spaces-page.js'), 'SpacesPage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/health',
    component: lazyRouteComponent(() => import('./health-page.js'), 'HealthPage'),
  }),
] as const;
