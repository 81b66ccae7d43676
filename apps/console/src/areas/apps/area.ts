import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';

/** Routes for apps: the directory, what the person allowed, and what is installed. */
export const appsRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/apps',
    validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
      q === undefined || q === '' ? {} : { q: String(q) },
    component: lazyRouteComponent(() => import('./directory/directory-page.js'), 'DirectoryPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/apps/$id',
    component: lazyRouteComponent(() => import('./directory/app-page.js'), 'AppPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/installed-apps',
    component: lazyRouteComponent(() => import('./installed/installed-page.js'), 'InstalledPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/authorizations',
    component: lazyRouteComponent(
      () => import('./authorizations/authorizations-page.js'),
      'AuthorizationsPage',
    ),
  }),
] as const;
