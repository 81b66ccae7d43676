import { Inject, Injectable } from '@nestjs/common';
import type { MethodGroup, PublicSlackMethod, SlackMethod } from '../dispatcher/slack-method.js';

/** Provides the groups of {@link MethodRegistry}. */
export const METHOD_GROUPS = Symbol('METHOD_GROUPS');

/** The methods of the Web API by name. */
@Injectable()
export class MethodRegistry {
  private readonly byName: ReadonlyMap<string, SlackMethod | PublicSlackMethod>;

  constructor(@Inject(METHOD_GROUPS) groups: readonly MethodGroup[]) {
    const methods = groups.flatMap((group) => group.methods);
    this.byName = new Map(methods.map((method) => [method.name, method]));
    if (this.byName.size !== methods.length) throw new Error('two methods have the same name');
  }

  get(name: string): SlackMethod | PublicSlackMethod | undefined {
    return this.byName.get(name);
  }

  /** Returns every method, in alphabetical order. */
  all(): (SlackMethod | PublicSlackMethod)[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
