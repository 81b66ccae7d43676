import { run } from './cli.js';
import { ProcessTerminal } from './terminal/process-terminal.js';

/**
 * Runs the command line in this process.
 *
 * @returns the exit code
 */
export function main(argv: readonly string[]): Promise<number> {
  return run(argv, new ProcessTerminal());
}
