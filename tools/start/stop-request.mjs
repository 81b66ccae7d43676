/** When to stop: Ctrl-C, TERM, a closed terminal, or the end of the npm that started us. */

const INSIST_AFTER_MS = 1_000;
const LOOK_EVERY_MS = 1_000;

/**
 * @param {{ first: () => void, again: () => void }} handlers `again` runs when the user presses
 * Ctrl-C again
 * @returns {{ signal: AbortSignal, requested: Promise<void>, failure: Error | undefined,
 * because(text: string): void }} `because` stops for an internal reason, which becomes `failure`
 */
export function onStopRequest({ first, again }) {
  const controller = new AbortController();
  /** @type {number | undefined} */
  let requestedAt;
  let settle = () => {};
  const stop = {
    signal: controller.signal,
    requested: /** @type {Promise<void>} */ (new Promise((resolve) => (settle = resolve))),
    failure: /** @type {Error | undefined} */ (undefined),
    /** @param {string} text */
    because(text) {
      if (requestedAt !== undefined) return;
      stop.failure = new Error(text);
      request();
    },
  };

  function request() {
    if (requestedAt === undefined) {
      requestedAt = Date.now();
      if (!stop.failure) first();
      controller.abort();
      settle();
      // A terminal's Ctrl-C comes twice when npm passes it on as well: only a later one insists.
    } else if (Date.now() - requestedAt > INSIST_AFTER_MS) again();
  }

  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, request);
  // A killed npm leaves its child behind, which Ctrl-C no longer reaches.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === 'start') {
    setInterval(
      () => process.ppid !== parent && requestedAt === undefined && request(),
      LOOK_EVERY_MS,
    ).unref();
  }
  return stop;
}
