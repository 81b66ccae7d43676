/** Starts a stopwatch. @returns {() => string} the time since then, such as `  3:07` */
export function stopwatch() {
  const started = performance.now();
  return () => {
    const seconds = Math.round((performance.now() - started) / 1000);
    return `${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, '0')}`;
  };
}
