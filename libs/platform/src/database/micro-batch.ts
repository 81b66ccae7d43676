import { outsideRequests } from '@tieline/background';

/** Limits of a {@link microBatch}. */
export interface MicroBatchLimits<I = unknown> {
  /** Maximum number of inputs of one run, 500 by default. The rest waits for the next run. */
  maxBatch?: number;
  /** Maximum sum of `sizeOf` of one run, unlimited by default. A larger input runs alone. */
  maxSize?: number;
  /** Size of an input, for `maxSize`. */
  sizeOf?: (input: I) => number;
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
  { maxBatch = 500, maxSize = Infinity, sizeOf = () => 0, maxInFlight = 1 }: MicroBatchLimits<I> = {},
): (input: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = [];
  let inFlight = 0;
  let startScheduled = false;

  /** Returns how many of the waiting inputs the next run takes. */
  function batchLength(): number {
    let size = 0;
    const most = Math.min(waiting.length, maxBatch);
    for (let n = 0; n < most; n += 1) {
      size += sizeOf((waiting[n] as Waiting<I, O>).input);
      if (size > maxSize) return Math.max(1, n);
    }
    return most;
  }

  function start(): void {
    startScheduled = false;
    while (waiting.length > 0 && inFlight < maxInFlight) {
      const batch = waiting.splice(0, batchLength());
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

/**
 * Like {@link microBatch}, with separate batches per key. Inputs of one key never wait for those of
 * another one.
 */
export function keyedMicroBatch<I, O>(
  run: (key: string, inputs: I[]) => Promise<O[]>,
  limits?: MicroBatchLimits<I>,
): (key: string, input: I) => Promise<O> {
  const batches = new Map<string, { add: (input: I) => Promise<O>; waiting: number }>();
  return async (key, input) => {
    const batch = batches.get(key) ?? {
      add: microBatch((inputs: I[]) => run(key, inputs), limits),
      waiting: 0,
    };
    batches.set(key, batch);
    batch.waiting += 1;
    try {
      return await batch.add(input);
    } finally {
      if ((batch.waiting -= 1) === 0) batches.delete(key);
    }
  };
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
