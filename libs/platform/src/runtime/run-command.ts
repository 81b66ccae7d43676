import { ConfigError } from '../config/index.js';
import { MigrationDrift } from '../database/index.js';

/**
 * Runs a command to its end and sets the exit code: 0, or 1 with the reason on standard error. Faults that a person can
 * mend (configuration, migrations) come without a stack trace.
 */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const plain = error instanceof ConfigError || error instanceof MigrationDrift;
    process.stderr.write(
      `${plain ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}
