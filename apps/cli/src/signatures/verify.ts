import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { explain } from '@tieline/sdk';
import type { Scheme } from '@tieline/sdk';
import { Option } from 'commander';
import type { Command } from 'commander';
import { action } from '../action.js';
import { milliseconds } from '../output/durations.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { headersOf } from './headers-of.js';

const SCHEMES: readonly Scheme[] = [
  'outgoing',
  'bot_push',
  'incoming_native',
  'incoming_compat',
  'standard_webhooks',
];

interface VerifyArguments {
  readonly header: string[];
  readonly headers?: string;
  readonly body?: string;
  readonly scheme?: Scheme;
  readonly secretFile?: string;
  readonly tolerance: string;
}

/** `verify`: checks a signature and explains which part is wrong. */
export function addVerify(program: Command, terminal: Terminal): void {
  program
    .command('verify')
    .summary('check a signature and explain what is wrong')
    .description(
      'Checks the signature of a request. The secret comes from TIELINE_SECRET, --secret-file or a prompt, never from an argument. Save the body byte for byte.\nExit code 7: the signature is invalid.',
    )
    .option(
      '-H, --header <line>',
      'a header of the request, "name: value"; may be repeated',
      (line: string, all: string[]) => [...all, line],
      [],
    )
    .option('--headers <file>', 'a file with one header per line')
    .option('--body <file>', 'a file with the raw body (default: standard input)')
    .addOption(
      new Option('--scheme <scheme>', 'signature scheme (default: detected from the headers)').choices(
        SCHEMES,
      ),
    )
    .option('--secret-file <file>', 'a file whose first line is the secret')
    .option('--tolerance <duration>', 'maximum age of the signature', '5m')
    .action(action(terminal, verify));
}

async function verify(session: Session, options: VerifyArguments): Promise<number> {
  const { terminal } = session;
  const read = (name: string) => readFile(path.resolve(terminal.folder, name));
  const lines = options.headers ? (await read(options.headers)).toString('utf8').split(/\r?\n/) : [];
  const headers = headersOf([...lines.filter(Boolean), ...options.header]);
  const body = options.body ? await read(options.body) : Buffer.from(await terminal.input());
  const secret = await secretFor(session, options);
  const result = await explain({
    secret,
    headers,
    body,
    scheme: options.scheme,
    toleranceSeconds: milliseconds(options.tolerance) / 1000,
  }).catch((error: unknown) => {
    throw new Failure((error as Error).message, EXIT.usage);
  });
  if (result.ok) {
    session.printer.done(result, `the signature is valid (scheme ${result.scheme})`);
    return EXIT.ok;
  }
  session.printer.done(
    result,
    [
      `the signature is invalid (scheme ${result.scheme}): ${result.reason}`,
      ...(result.hint ? [`  most likely: ${result.hint}`] : []),
    ].join('\n'),
  );
  return EXIT.checkFailed;
}

async function secretFor(session: Session, { secretFile, body }: VerifyArguments): Promise<string> {
  const { terminal } = session;
  if (secretFile)
    return (await readFile(path.resolve(terminal.folder, secretFile), 'utf8')).split(/\r?\n/)[0]!;
  if (terminal.env.TIELINE_SECRET) return terminal.env.TIELINE_SECRET;
  if (!body)
    throw new Failure(
      'the secret is missing',
      EXIT.usage,
      'set TIELINE_SECRET or use --secret-file: the body comes from standard input',
    );
  return terminal.ask('Signing secret: ', { hidden: true });
}
