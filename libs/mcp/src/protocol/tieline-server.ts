import type { Server } from '@modelcontextprotocol/server';
import type { Sdk } from './sdk.js';

/**
 * Returns the library's server, without the `content` that the library adds to every result of a
 * tool: a task has none.
 */
export function serverClassOf(sdk: Sdk): typeof Server {
  return class TielineServer extends sdk.Server {
    protected override _wrapHandler(
      method: string,
      handler: Parameters<Server['_wrapHandler']>[1],
    ): ReturnType<Server['_wrapHandler']> {
      const wrapped = super._wrapHandler(method, handler);
      return async (request, context) => {
        const result = await wrapped(request, context);
        if (result.resultType !== 'task') return result;
        const { content: _, ...task } = result;
        return task;
      };
    }
  };
}
