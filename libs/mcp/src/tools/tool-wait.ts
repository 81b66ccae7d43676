import { invalidField } from '@tieline/platform/http';
import type { RestAnswer, RestRequest } from '@tieline/platform/http';
import type { ToolWait } from './tool.js';

/** Timers can end this much early. */
const TOLERANCE_MS = 50;

/**
 * Sends a request that waits, in steps that the API allows. An answer that arrives before the end
 * of its step is the last one: there is nothing left to wait for, or the process stops.
 * @throws ApiError 400 if the wait is not a whole number in its range
 */
export async function sendInSteps(
  send: (request: RestRequest) => Promise<RestAnswer>,
  request: RestRequest,
  wait: ToolWait,
): Promise<RestAnswer> {
  let left = secondsOf(request.query?.[wait.argument], wait);
  for (;;) {
    const step = Math.min(left, wait.stepSeconds);
    const end = performance.now() + step * 1000 - TOLERANCE_MS;
    const query = { ...request.query, [wait.argument]: String(step) };
    const answer = await send(step > 0 ? { ...request, query } : request);
    left -= step;
    if (left <= 0 || answer.status >= 400 || performance.now() < end) return answer;
  }
}

function secondsOf(given: string | undefined, { argument, maxSeconds }: ToolWait): number {
  if (given === undefined) return 0;
  if (!/^\d{1,4}$/.test(given) || Number(given) > maxSeconds)
    throw invalidField(argument, `${argument} must be a whole number of seconds from 0 to ${maxSeconds}`);
  return Number(given);
}
