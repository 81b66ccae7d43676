import type { Command } from 'commander';
import { action } from '../action.js';
import type { Column } from '../output/table.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { findByName } from './names.js';
import type { Named } from './names.js';

/** A kind of resource that can be listed and shown by name. */
export interface ResourceCommands<T extends Named> {
  readonly noun: string;
  readonly summary: string;
  readonly columns: readonly Column<T>[];
  readonly all: (session: Session) => Promise<readonly T[]>;
  /** Loads more details for `show`. */
  readonly one?: (session: Session, entry: T) => Promise<object>;
}

/**
 * Adds `<noun> list` and `<noun> show <name>`.
 *
 * @returns the command, so that further subcommands can be added
 */
export function addResource<T extends Named>(
  program: Command,
  terminal: Terminal,
  given: ResourceCommands<T>,
): Command {
  const { noun, summary, columns } = given;
  const command = program.command(noun).summary(summary);
  command
    .command('list')
    .alias('ls')
    .summary(`every ${noun}`)
    .action(
      action(terminal, async (session) =>
        session.printer.list(await given.all(session), columns, `no ${noun} yet`),
      ),
    );
  command
    .command('show <name>')
    .summary(`one ${noun}, by name or id`)
    .action(
      action(terminal, async (session, name: string) => {
        const entry = findByName(noun, await given.all(session), name);
        session.printer.show(given.one ? await given.one(session, entry) : entry);
      }),
    );
  return command;
}
