import { ConfigError } from '../config/index.js';
import { MigrationDrift, ServerTooOld } from '../database/index.js';
import { nameSourcesInStacks } from './source-stacks.js';

/** A problem that ends a command and that its user can fix. The message says how. */
export class CommandRefused extends Error {}

/**
 * Runs a command and sets the exit code: 0, or 1 with the reason on standard error. Problems that a
 * person can fix (configuration, migrations, the server, arguments) come without a stack trace.
 */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  nameSourcesInStacks();
  try {
    await command();
  } catch (error) {
    const plain = [ConfigError, MigrationDrift, ServerTooOld, CommandRefused].some(
      (kind) => error instanceof kind,
    );
    process.stderr.write(
      `${plain ? (error as Error).message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}
