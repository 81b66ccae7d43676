import { applyDecorators, Injectable, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import { actAs, AdmitsCapabilities, callerOf, documentErrors, isUuid } from '@tieline/platform/http';
import { actionNotAllowed, taskNotFound } from '../execution-tasks.errors.js';
import { TASK_ACTIONS } from '../states/execution-task.states.js';
import type { TaskAction } from '../states/execution-task.states.js';
import { TaskCapabilities } from './task-capabilities.js';

interface TaskRequest {
  params: { widget_id: string };
  body: unknown;
}

/** Returns the action of a request, or undefined for requests that need no permission. */
type ActionOf = (request: TaskRequest) => TaskAction | undefined;

/**
 * Lets a task's capability call a route, with the actions it was given:
 * docs/execution-tasks.md#capability-token. The request then acts as the task's bot.
 */
export function AllowCapability(actionOf: ActionOf): MethodDecorator {
  return applyDecorators(AdmitsCapabilities(), UseGuards(guardFor(actionOf)), documentErrors(410));
}

/** Returns the action of an update. Unknown actions are left to the validation of the body. */
export function actionOfBody({ body }: TaskRequest): TaskAction | undefined {
  const { action } = (body ?? {}) as { action?: unknown };
  return TASK_ACTIONS.find((known) => known === (action ?? 'update'));
}

function guardFor(actionOf: ActionOf): Type<CanActivate> {
  @Injectable()
  class CapabilityGuard implements CanActivate {
    constructor(private readonly capabilities: TaskCapabilities) {}

    /**
     * @throws 410 unknown or expired; 404 another task's; 403 an action that it does not allow; 401
     *   its bot was deleted or disabled
     */
    async canActivate(context: ExecutionContext): Promise<boolean> {
      const { principal } = callerOf(context);
      if (principal.kind !== 'capability') return true;
      const { bot, widgetId, allowedActions } = await this.capabilities.require(principal.token);
      const request = context.switchToHttp().getRequest<TaskRequest>();
      const requested = request.params.widget_id;
      if (isUuid(requested) && requested.toLowerCase() !== widgetId) throw taskNotFound();
      const action = actionOf(request);
      if (action !== undefined && !allowedActions.includes(action)) throw actionNotAllowed();
      actAs(context, bot);
      return true;
    }
  }
  return CapabilityGuard;
}
