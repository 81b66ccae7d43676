const EVERY_MS = 5000;

/**
 * Returns a function that writes a line to standard error every five seconds while a command works.
 */
export function showProgress(): (bytes: number, step: string) => void {
  const started = performance.now();
  let last = started;
  let total = 0;
  return (bytes, step) => {
    total += bytes;
    const now = performance.now();
    if (now - last < EVERY_MS) return;
    last = now;
    process.stderr.write(
      `${Math.round((now - started) / 1000)} s: ${(total / 1e6).toFixed(1)} MB, ${step}\n`,
    );
  };
}
