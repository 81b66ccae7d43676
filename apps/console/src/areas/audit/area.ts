import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';
import { auditSearch } from './audit-search.js';

/** Routes of the audit log. */
export const auditRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/audit',
    validateSearch: auditSearch,
    component: lazyRouteComponent(() => import('./audit-page.js'), 'AuditPage'),
  }),
] as const;
