import { SDK_VERSION } from '@tieline/sdk';
import { Command, CommanderError } from 'commander';
import { Exit } from './action.js';
import { addBackup } from './server/backup.js';
import { addDoctor } from './server/doctor.js';
import { addMcp } from './mcp/mcp.js';
import { addOwner } from './server/owner.js';
import { addCommands, addBots, addHooks, addSubscriptions } from './resources/programs.js';
import { addApps } from './resources/apps.js';
import { addChannels, addSpaces, addUsers } from './resources/people-and-spaces.js';
import { EXIT } from './output/exit-codes.js';
import { reportFailure } from './output/failures.js';
import { Printer } from './output/printer.js';
import { addDev } from './bots/dev.js';
import { addInit } from './bots/init.js';
import { addCompletion } from './completion/completion.js';
import { addRedeliver } from './deliveries/redeliver.js';
import { addTestSends } from './deliveries/test-sends.js';
import { addListen } from './stream/listen.js';
import { addTail } from './stream/tail.js';
import { addTrigger } from './stream/trigger.js';
import { addVerify } from './signatures/verify.js';
import { addActions } from './people/actions.js';
import { addSearch } from './people/search.js';
import { addApprovals } from './people/approvals.js';
import { addLogin } from './profiles/login.js';
import type { Terminal } from './terminal/terminal.js';

export type { Terminal } from './terminal/terminal.js';

const EXIT_CODES = `
Exit codes: 0 done · 1 failed · 2 wrong command line · 3 not signed in, or not allowed · 4 not found · 5 rejected by Tieline ·
6 Tieline unreachable or busy · 7 what was checked is not right · 130 interrupted

Settings: TIELINE_URL, TIELINE_TOKEN, TIELINE_OPERATOR_TOKEN, TIELINE_PROFILE, TIELINE_PROFILES (the file with the profiles)`;

/** Builds the program with all commands, for one run. */
export function commandLine(terminal: Terminal): Command {
  const program = new Command('tieline');
  program
    .description(
      'The Tieline command line: administer a space, test bots and receivers, maintain an installation.',
    )
    .version(SDK_VERSION)
    .option('--json', 'results as JSON, errors as JSON on standard error')
    .option('--profile <name>', 'profile to use')
    .addHelpText('after', EXIT_CODES)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      // Help of the bare program or of a command group. Errors go through the printer.
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: () => undefined,
    });
  addLogin(program, terminal);
  addSpaces(program, terminal);
  addUsers(program, terminal);
  addChannels(program, terminal);
  addInit(addBots(program, terminal), terminal);
  addDev(program, terminal);
  const hook = addHooks(program, terminal);
  addCommands(program, terminal);
  addApps(program, terminal);
  const subscription = addSubscriptions(program, terminal);
  addActions(program, terminal);
  addSearch(program, terminal);
  addApprovals(program, terminal);
  addTail(program, terminal);
  addListen(program, terminal);
  addTrigger(program, terminal);
  addVerify(program, terminal);
  addRedeliver(program, terminal);
  addTestSends(subscription, hook, terminal);
  addDoctor(program, terminal);
  addBackup(program, terminal);
  addOwner(program, terminal);
  addMcp(program, terminal);
  addCompletion(program, terminal);
  return program;
}

/**
 * Runs one command line.
 *
 * @param argv arguments after the program's name
 * @returns the exit code
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const program = commandLine(terminal);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return Exit.at(program);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    if (terminal.signal.aborted) return EXIT.interrupted;
    const failure = reportFailure(error);
    // The bare program and bare command groups show their help.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
    new Printer(terminal, argv.includes('--json')).failure(failure);
    if (failure.exitCode === EXIT.usage) terminal.err('  `tieline --help` shows what there is');
    return failure.exitCode;
  } finally {
    terminal.progress(undefined);
  }
}
