import type { Command } from 'commander';
import { Session } from './profiles/session.js';
import type { GlobalOptions } from './profiles/session.js';
import type { Terminal } from './terminal/terminal.js';

/**
 * What Commander calls for a command: the function gets a session, then the arguments, then the
 * options. A number that it returns is the exit code.
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

/** The exit code of a command that did what it was asked to, kept at the program. */
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
