/**
 * Compiles what changed, and checks the settings in its environment. `npm start` runs it as a
 * separate process, because the compiler and the libs would stay in memory.
 */
import { build } from '../build.mjs';

try {
  const { compiled, milliseconds, consoleMilliseconds } = await build();
  if (compiled > 0) console.log(`built ${compiled} files in ${milliseconds} ms`);
  if (consoleMilliseconds !== undefined) console.log(`built the console in ${consoleMilliseconds} ms`);
  // Not before the build, which may have to write the settings' classes first.
  const { requireSettings } = await import('./settings.mjs');
  await requireSettings(process.env);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.exit(0);
