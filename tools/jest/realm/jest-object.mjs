/**
 * Replaces `@jest/globals` for test files (typescript-hooks.mjs): the part of the `jest` object
 * that works without a context per file.
 */
let environment;

/** @param {object} next of the test file that starts now */
export function useEnvironment(next) {
  environment = next;
}

export const jest = {
  fn: (implementation) => environment.moduleMocker.fn(implementation),
  spyOn: (...args) => environment.moduleMocker.spyOn(...args),
  restoreAllMocks: () => environment.moduleMocker.restoreAllMocks(),
  useFakeTimers: (options) => environment.fakeTimersModern.useFakeTimers(options),
  useRealTimers: () => environment.fakeTimersModern.useRealTimers(),
  setSystemTime: (now) => environment.fakeTimersModern.setSystemTime(now),
  advanceTimersByTime: (ms) => environment.fakeTimersModern.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => environment.fakeTimersModern.advanceTimersByTimeAsync(ms),
};
