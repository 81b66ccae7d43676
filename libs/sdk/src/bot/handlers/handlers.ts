import type { Responder } from '../answers/responder.js';
import type { Context } from '../contexts/context.js';
import type { Kind } from '../activity.js';
import { matchesPattern } from './patterns.js';
import type { Pattern } from './patterns.js';

/**
 * Runs around every handler, in the order of `use`. Stops the activity if it does not call `next`.
 */
export type Middleware = (context: Context, next: () => Promise<void>) => unknown;

/** A handler and the activities it handles. */
export interface Route {
  kind: Kind;
  pattern: Pattern;
  /** Further conditions on the context. */
  accepts?: (context: Context) => boolean;
  run: (context: Context, responder: Responder) => unknown;
}

/** The routes of a bot. The first matching route handles an activity. */
export class Handlers {
  private readonly routes: Route[] = [];
  private readonly middleware: Middleware[] = [];

  /**
   * @throws TypeError when another route has the same pattern, so that this one would never be
   * called
   */
  add(route: Route): void {
    const { kind, pattern, accepts } = route;
    const isSame = (one: Route): boolean =>
      one.kind === kind && String(one.pattern) === String(pattern) && one.accepts === undefined;
    if (accepts === undefined && this.routes.some(isSame))
      throw new TypeError(`there is already a handler for ${kind} ${String(pattern)}`);
    this.routes.push(route);
  }

  use(middleware: Middleware): void {
    this.middleware.push(middleware);
  }

  /** Returns the plain names that have handlers of this kind. */
  namesOf(kind: Kind): string[] {
    const plain = this.routes.filter((route) => route.kind === kind).map(({ pattern }) => pattern);
    return [...new Set(plain)].filter((one) => typeof one === 'string' && !one.endsWith('*')) as string[];
  }

  /** @returns whether a route matched */
  async handle(context: Context, responder: Responder): Promise<boolean> {
    const { kind, name } = context.happening;
    const route = this.routes.find(
      (one) => one.kind === kind && matchesPattern(one.pattern, name) && (one.accepts?.(context) ?? true),
    );
    const steps = [...this.middleware, ...(route ? [() => route.run(context, responder)] : [])];
    const step = async (position: number): Promise<void> => {
      await steps[position]?.(context, () => step(position + 1));
    };
    await step(0);
    return route !== undefined;
  }
}
