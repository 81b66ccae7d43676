import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import type { ApiSession } from '../api/api-session.js';
import { NotFound } from './layout/not-found.js';
import { OperatorGate, SessionGate } from './session/session-gate.js';
import { SignInFrame } from './session/sign-in-frame.js';

/** Available to every route before it renders. */
export interface RouterContext {
  apiSession: ApiSession;
  queries: QueryClient;
}

/** Root of all routes. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

const Layout = lazyRouteComponent(() => import('./layout/layout.js'), 'Layout');

/** Parent of all pages for signed-in people. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: () => (
    <SessionGate>
      <Layout />
    </SessionGate>
  ),
});

/** Parent of pages for signed-in people that are one card, without navigation. */
export const cardRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'card',
  component: () => (
    <SessionGate>
      <SignInFrame>
        <Outlet />
      </SignInFrame>
    </SessionGate>
  ),
});

const OperatorLayout = lazyRouteComponent(() => import('./layout/operator-layout.js'), 'OperatorLayout');

/** Parent of the operator's pages. */
export const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator',
  component: () => (
    <OperatorGate>
      <OperatorLayout />
    </OperatorGate>
  ),
});
