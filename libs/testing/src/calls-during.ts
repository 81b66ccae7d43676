import { Session } from 'node:inspector/promises';

/** Returns how often each named function of this process was called while `work` ran. */
export async function callsDuring(work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const calls = new Map<string, number>();
    for (const { functions } of result)
      for (const { functionName, ranges } of functions)
        calls.set(functionName, (calls.get(functionName) ?? 0) + (ranges[0]?.count ?? 0));
    return calls;
  } finally {
    session.disconnect();
  }
}
