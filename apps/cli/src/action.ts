import type { Command } from 'commander';
import { Session } from './profiles/session.js';
import type { GlobalOptions } from './profiles/session.js';
import type { Terminal } from './terminal/terminal.js';

/**
 * Wraps the function of a command for Commander. The function receives a session, the arguments and
 * the options. A number that it returns becomes the exit code.
 */
export function action<Args extends unknown[]>(
  terminal: Terminal,
  run: (session: Session, ...args: Args) => Promise<number | void>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    const session = new Session(terminal, command.optsWithGlobals<GlobalOptions>());
    const code = await run(session, ...(given.slice(0, -1) as Args));
    if (code) Exit.of(command, code);
  };
}

/** Exit code of a command that succeeded, stored on the program. */
export const Exit = {
  of(command: Command, code: number): void {
    rootOf(command).setOptionValue('exitCode', code);
  },
  at(program: Command): number {
    return (program.getOptionValue('exitCode') as number | undefined) ?? 0;
  },
};

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}
