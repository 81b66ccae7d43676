import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';

/** Routes for the approvals of the space and its rules. */
export const approvalsRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/approvals',
    component: lazyRouteComponent(() => import('./approvals-page.js'), 'ApprovalsPage'),
  }),
] as const;
