import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import type { Door } from './api/door.js';
import { NotFound } from './layout/not-found.js';
import { OperatorGate, SessionGate } from './session/session-gate.js';

/** What every route may use before it renders. */
export interface RouterContext {
  door: Door;
  queries: QueryClient;
}

/** Above everything. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

const Layout = lazyRouteComponent(() => import('./layout/layout.js'), 'Layout');

/** The parent of every page for people: they are signed in below it. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: () => (
    <SessionGate>
      <Layout />
    </SessionGate>
  ),
});

const OperatorLayout = lazyRouteComponent(() => import('./layout/operator-layout.js'), 'OperatorLayout');

/** The parent of the operator's pages. */
export const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator',
  component: () => (
    <OperatorGate>
      <OperatorLayout />
    </OperatorGate>
  ),
});
