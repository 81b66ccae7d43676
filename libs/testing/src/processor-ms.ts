/**
 * Returns the CPU time of `work` in this process, in milliseconds. Unlike wall-clock time it does
 * not depend on other programs.
 */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
