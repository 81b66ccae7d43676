import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { approvalsRoutes } from '../areas/approvals/area.js';
import { appsRoutes } from '../areas/apps/area.js';
import { auditRoutes } from '../areas/audit/area.js';
import { botsRoutes } from '../areas/bots/area.js';
import { chatRoutes } from '../areas/chat/area.js';
import { consentRoutes } from '../areas/consent/area.js';
import { incomingRoutes } from '../areas/incoming/area.js';
import { noticesRoutes } from '../areas/notices/area.js';
import { operatorRoutes } from '../areas/operator/area.js';
import { outgoingRoutes } from '../areas/outgoing/area.js';
import { overviewRoutes } from '../areas/overview/area.js';
import { peopleRoutes } from '../areas/people/area.js';
import { sessionsRoutes } from '../areas/sessions/area.js';
import { cardRoute, operatorRoute, rootRoute, signedInRoute } from './routes.js';
import type { RouterContext } from './routes.js';

/** The start page. */
const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview', replace: true });
  },
});

/**
 * All pages of the console. Each area adds its routes here and its item in `layout/navigation.ts`.
 */
const routeTree = rootRoute.addChildren([
  signedInRoute.addChildren([
    homeRoute,
    ...overviewRoutes,
    ...chatRoutes,
    ...botsRoutes,
    ...incomingRoutes,
    ...outgoingRoutes,
    ...peopleRoutes,
    ...approvalsRoutes,
    ...appsRoutes,
    ...noticesRoutes,
    ...auditRoutes,
    ...sessionsRoutes,
  ]),
  operatorRoute.addChildren([...operatorRoutes]),
  cardRoute.addChildren([...consentRoutes]),
]);

/**
 * Creates the router. The code of an area is loaded when a user opens it or hovers over a link to
 * it.
 */
export function makeRouter(context: RouterContext) {
  return createRouter({ routeTree, context, defaultPreload: 'intent', scrollRestoration: true });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
