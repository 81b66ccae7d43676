import { keyedMicroBatch, microBatch } from './micro-batch.js';

interface Run {
  inputs: number[];
  finish: () => void;
  fail: (error: Error) => void;
}

/** A batch function whose runs the test ends; it returns ten times the input. */
function controlled(limits?: Parameters<typeof microBatch>[1]) {
  const runs: Run[] = [];
  const call = microBatch<number, number>(
    (inputs) =>
      new Promise((resolve, reject) => {
        runs.push({ inputs, finish: () => resolve(inputs.map((input) => input * 10)), fail: reject });
      }),
    limits,
  );
  return { call, runs };
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('microBatch', () => {
  it('starts an idle batch at the end of the same turn', async () => {
    const { call, runs } = controlled();
    const answer = call(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs.map((run) => run.inputs)).toEqual([[1]]);
    runs[0]!.finish();
    expect(await answer).toBe(10);
  });

  it('collects inputs while a run is in flight, and returns each its own output', async () => {
    const { call, runs } = controlled();
    const first = call(1);
    await turn();
    const others = [call(2), call(3), call(4)];
    await turn();
    expect(runs).toHaveLength(1);
    runs[0]!.finish();
    expect(await first).toBe(10);
    await turn();
    expect(runs[1]!.inputs).toEqual([2, 3, 4]);
    runs[1]!.finish();
    expect(await Promise.all(others)).toEqual([20, 30, 40]);
  });

  it('respects maxBatch and maxInFlight', async () => {
    const { call, runs } = controlled({ maxBatch: 2, maxInFlight: 2 });
    const answers = [1, 2, 3, 4, 5].map((input) => call(input));
    await turn();
    expect(runs.map((run) => run.inputs)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    runs[0]!.finish();
    await turn();
    expect(runs[2]!.inputs).toEqual([5]);
    runs[1]!.finish();
    runs[2]!.finish();
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
  });

  it('rejects only the inputs of a failed run', async () => {
    const { call, runs } = controlled();
    const lost = Promise.allSettled([call(1), call(2)]);
    await turn();
    const later = call(3);
    runs[0]!.fail(new Error('connection lost'));
    expect((await lost).map((result) => result.status)).toEqual(['rejected', 'rejected']);
    await turn();
    runs[1]!.finish();
    expect(await later).toBe(30);
  });

  it('rejects when the run throws synchronously or returns too few outputs', async () => {
    const throwing = microBatch<number, number>(() => {
      throw new Error('no statement');
    });
    await expect(throwing(1)).rejects.toThrow('no statement');
    const short = microBatch<number, number>(async () => []);
    await expect(short(1)).rejects.toThrow('1 inputs was answered with 0 outputs');
  });

  it('respects maxSize, and runs a larger input alone', async () => {
    const { call, runs } = controlled({ maxSize: 5, sizeOf: (input) => input as number, maxInFlight: 9 });
    void [2, 3, 1, 9, 4, 1].map((input) => call(input));
    await turn();
    expect(runs.map((run) => run.inputs)).toEqual([[2, 3], [1], [9], [4, 1]]);
  });
});

describe('keyedMicroBatch', () => {
  it('batches the inputs of a key, which wait for no other key', async () => {
    const runs: { key: string; inputs: number[]; finish: () => void }[] = [];
    const call = keyedMicroBatch<number, string>(
      (key, inputs) =>
        new Promise((resolve) => {
          runs.push({ key, inputs, finish: () => resolve(inputs.map((input) => `${key}${input}`)) });
        }),
    );
    const first = call('a', 1);
    await turn();
    const others = [call('b', 1), call('a', 2), call('b', 2), call('a', 3)];
    await turn();
    expect(runs.map(({ key, inputs }) => [key, inputs])).toEqual([
      ['a', [1]],
      ['b', [1, 2]],
    ]);
    runs[1]!.finish();
    expect(await Promise.all([others[0], others[2]])).toEqual(['b1', 'b2']);
    runs[0]!.finish();
    expect(await first).toBe('a1');
    await turn();
    expect(runs[2]).toMatchObject({ key: 'a', inputs: [2, 3] });
    runs[2]!.finish();
    expect(await Promise.all([others[1], others[3]])).toEqual(['a2', 'a3']);
  });
});
