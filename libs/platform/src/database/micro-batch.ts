import { outsideRequests } from '@tieline/background';

/** How far a {@link microBatch} may go. */
export interface MicroBatchLimits {
  /** Inputs of one run at most; what is left over waits for the next run. Default 500. */
  maxBatch?: number;
  /**
   * Runs under way at the same time at most. Default 1: while one is in flight, further inputs pile
   * up.
   */
  maxInFlight?: number;
}

interface Waiting<I, O> {
  input: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

/**
 * Turns a statement over many inputs into a function of one input. Nothing ever waits for a clock:
 * an idle batch starts at the end of this turn of the event loop, and under load the inputs that
 * come while a run is in flight form the next one, so the batch grows with the load and the cost of
 * each input falls.
 *
 * @param run answers exactly one output per input, in the order of the inputs; when it throws,
 * every input of that run is rejected with its error, later runs are not affected
 * @returns the function of one input; it never throws synchronously
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
      // It is the work of many callers.
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
      // After the input and output of this turn of the event loop, so that all requests that it
      // brought share a run.
      setImmediate(start);
    });
}

/** Runs one batch and hands each caller its output or the error; never rejects. */
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
