import { outsideRequests } from '@tieline/background';

/** Limits of a {@link microBatch}. */
export interface MicroBatchLimits {
  /** Maximum number of inputs of one run, 500 by default. The rest waits for the next run. */
  maxBatch?: number;
  /**
   * Maximum number of concurrent runs, 1 by default: further inputs queue while one is in flight.
   */
  maxInFlight?: number;
}

interface Waiting<I, O> {
  input: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

/**
 * Turns a statement over many inputs into a function of one input, without timers. An idle batch
 * starts at the end of this turn of the event loop. Under load, the inputs that arrive while a run
 * is in flight form the next one, so the batch grows with the load and the cost per input falls.
 *
 * @param run returns exactly one output per input, in the order of the inputs. When it throws,
 * every input of that run is rejected with its error; later runs are not affected.
 * @returns the function of one input; it never throws synchronously.
 */
export function microBatch<I, O>(
  run: (inputs: I[]) => Promise<O[]>,
  { maxBatch = 500, maxInFlight = 1 }: MicroBatchLimits = {},
): (input: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  let inFlight = 0;
  let startScheduled = false;

  function start(): void {
    startScheduled = false;
    while (waiting.length > 0 && inFlight < maxInFlight) {
      const batch = waiting.length > maxBatch ? waiting.splice(0, maxBatch) : waiting;
      if (batch === waiting) waiting = [];
      inFlight += 1;
      // A batch belongs to several callers.
      void outsideRequests(() => settle(run, batch)).then(() => {
        inFlight -= 1;
        start();
      });
    }
  }

  return (input) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (startScheduled || inFlight >= maxInFlight) return;
      startScheduled = true;
      // Runs after the I/O of this turn of the event loop, so that all of its requests share a run.
      setImmediate(start);
    });
}

/** Runs one batch and gives each caller its output or the error; never rejects. */
async function settle<I, O>(run: (inputs: I[]) => Promise<O[]>, batch: Waiting<I, O>[]): Promise<void> {
  try {
    const outputs = await run(batch.map((entry) => entry.input));
    if (outputs.length !== batch.length) {
      throw new Error(`a batch of ${batch.length} inputs was answered with ${outputs.length} outputs`);
    }
    batch.forEach((entry, index) => entry.resolve(outputs[index] as O));
  } catch (error) {
    for (const entry of batch) entry.reject(error);
  }
}
