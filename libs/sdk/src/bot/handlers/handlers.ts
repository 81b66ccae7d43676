import type { Answering } from '../answers/answering.js';
import type { Context } from '../contexts/context.js';
import type { Kind } from '../happening.js';
import { fits } from './patterns.js';
import type { Pattern } from './patterns.js';

/** Runs around every handler, in the order of `use`; who doesn't call `next` ends it there. */
export type Middleware = (context: Context, next: () => Promise<void>) => unknown;

/** A handler with what it is for. */
export interface Route {
  kind: Kind;
  pattern: Pattern;
  /** Further conditions on the context. */
  accepts?: (context: Context) => boolean;
  run: (context: Context, answering: Answering) => unknown;
}

/** What a bot does about what happens. The first route that fits is taken. */
export class Handlers {
  private readonly routes: Route[] = [];
  private readonly middleware: Middleware[] = [];

  /**
   * @throws TypeError where another route is for exactly the same, so that this one would never be
   * called
   */
  add(route: Route): void {
    const { kind, pattern, accepts } = route;
    const isSame = (one: Route): boolean =>
      one.kind === kind && String(one.pattern) === String(pattern) && one.accepts === undefined;
    if (accepts === undefined && this.routes.some(isSame))
      throw new TypeError(`there is a handler already: ${kind} ${String(pattern)}`);
    this.routes.push(route);
  }

  use(middleware: Middleware): void {
    this.middleware.push(middleware);
  }

  /** The names that handlers of this kind are for, as far as they are plain. */
  namesOf(kind: Kind): string[] {
    const plain = this.routes.filter((route) => route.kind === kind).map(({ pattern }) => pattern);
    return [...new Set(plain)].filter((one) => typeof one === 'string' && !one.endsWith('*')) as string[];
  }

  /** @returns whether there was a handler for it */
  async handle(context: Context, answering: Answering): Promise<boolean> {
    const { kind, name } = context.happening;
    const route = this.routes.find(
      (one) => one.kind === kind && fits(one.pattern, name) && (one.accepts?.(context) ?? true),
    );
    const steps = [...this.middleware, ...(route ? [() => route.run(context, answering)] : [])];
    const step = async (position: number): Promise<void> => {
      await steps[position]?.(context, () => step(position + 1));
    };
    await step(0);
    return route !== undefined;
  }
}
