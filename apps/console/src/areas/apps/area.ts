import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';
import { ownAppTabIn } from './own/own-app-tabs.js';

/** Routes for apps: the directory, what the person allowed, what is installed, and the editor. */
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
    path: '/own-apps',
    component: lazyRouteComponent(() => import('./own/own-apps-page.js'), 'OwnAppsPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/own-apps/new',
    component: lazyRouteComponent(() => import('./own/new-app-page.js'), 'NewAppPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/own-apps/manifest',
    component: lazyRouteComponent(() => import('./own/manifest-page.js'), 'ManifestPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/own-apps/$id',
    validateSearch: ownAppTabIn,
    component: lazyRouteComponent(() => import('./own/own-app-page.js'), 'OwnAppPage'),
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
