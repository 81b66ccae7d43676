/**
 * Milliseconds of processor time that `work` takes in this process. Unlike the clock they don't
 * grow when other programs use the machine.
 */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
