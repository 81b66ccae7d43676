import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { operatorRoute } from '../../app/routes.js';

/** For whoever runs the server. */
export const operatorRoutes = [
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./spaces-page.js'), 'SpacesPage'),
  }),
] as const;
