import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Answer, Person } from '@tieline/sdk/testing';
import type { Command } from 'commander';
import { action } from '../action.js';
import { channelNamed } from '../resources/entries.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import { milliseconds } from '../output/durations.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { fieldValues } from './field-values.js';
import { sentence } from './sentences.js';

interface Waiting {
  readonly wait: string;
}

const WAIT = ['--wait <duration>', 'how long to wait for what the bot answers', '5s'] as const;

/** `send`, `say`, `click`, `select`, `submit`: actions of bots and people. */
export function addActions(program: Command, terminal: Terminal): void {
  program
    .command('send <channel> [text]')
    .summary('post a message, as a bot')
    .description(
      'Sends a message as a bot whose token is stored. Without a text argument, reads it from the pipe.',
    )
    .option('--bot <name>', 'which bot')
    .option('--metadata <file>', 'a JSON file for metadata_json: blocks, buttons and so on')
    .action(action(terminal, send));
  program
    .command('say <channel> [text]')
    .summary('post a message or run a /command, as a person')
    .description('Posts as the signed-in person. `/name …` runs a command and shows its answer.')
    .option(...WAIT)
    .action(action(terminal, say));
  program
    .command('click <action_id>')
    .summary('click a button of the latest message that has it')
    .option('--in <channel>', 'channel of the message (default: the last one used)')
    .option('--message <id>', 'id of the message (default: the latest)')
    .option(...WAIT)
    .action(action(terminal, click));
  program
    .command('select <action_id> <value...>')
    .summary('choose values in a select or a similar element')
    .option('--in <channel>', 'channel of the message (default: the last one used)')
    .option('--message <id>', 'id of the message (default: the latest)')
    .option(...WAIT)
    .action(action(terminal, select));
  program
    .command('submit [field=value...]')
    .summary('submit the form opened by the last click')
    .description(
      'Fields as name=value; name:=json for numbers, booleans and lists. --values - reads a JSON object from the pipe.',
    )
    .option('--values <file>', 'a JSON file with the values, - for the pipe')
    .option(...WAIT)
    .action(action(terminal, submit));
}

async function send(
  session: Session,
  channel: string,
  text: string | undefined,
  options: { bot?: string; metadata?: string },
): Promise<void> {
  const bot = await session.bot(options.bot);
  const body = {
    conversation_id: await whereFor(session, channel),
    content: await textOf(session, text),
    ...(options.metadata && { metadata_json: await jsonFile(session, options.metadata) }),
  };
  const { message_id: id } = await bot.call<{ message_id: string }>('POST', '/api/v1/bot/messages', { body });
  session.printer.done({ message_id: id }, `sent ${id}`);
}

/** Finds the conversation for a bot when no person is signed in. */
async function whereFor(session: Session, channel: string): Promise<string> {
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(channel)) return channel;
  return (await channelNamed(await session.person(), channel)).id;
}

async function textOf(session: Session, given: string | undefined): Promise<string> {
  const text = given === undefined || given === '-' ? (await session.terminal.input()).trimEnd() : given;
  if (text === '') throw new Failure('there is no text', EXIT.usage, 'give it as an argument, or pipe it in');
  return text;
}

async function jsonFile(session: Session, name: string): Promise<string> {
  const text =
    name === '-'
      ? await session.terminal.input()
      : await readFile(path.resolve(session.terminal.folder, name), 'utf8');
  try {
    return JSON.stringify(JSON.parse(text));
  } catch (error) {
    throw new Failure(`${name} is no JSON: ${(error as Error).message}`, EXIT.usage);
  }
}

async function say(
  session: Session,
  channel: string,
  text: string | undefined,
  { wait }: Waiting,
): Promise<void> {
  const place = await whereFor(session, channel);
  const words = await textOf(session, text);
  await perform(session, (person) => person.say(place, words, { waitMs: milliseconds(wait) }), place);
}

interface Clicked extends Waiting {
  readonly in?: string;
  readonly message?: string;
}

async function click(session: Session, actionId: string, options: Clicked): Promise<void> {
  const place = await placeOf(session, options);
  await perform(session, (person) => person.click(actionId, clickOptions(place, options)), place);
}

async function select(session: Session, actionId: string, values: string[], options: Clicked): Promise<void> {
  const place = await placeOf(session, options);
  await perform(session, (person) => person.select(actionId, values, clickOptions(place, options)), place);
}

async function placeOf(session: Session, options: Clicked): Promise<string> {
  const place = options.in ? await whereFor(session, options.in) : (await session.profile()).place;
  if (!place) throw new Failure('in which channel?', EXIT.usage, 'say it with --in <channel>');
  return place;
}

const clickOptions = (place: string, { message, wait }: Clicked) => ({
  in: place,
  message,
  waitMs: milliseconds(wait),
});

async function submit(
  session: Session,
  pairs: string[],
  options: Waiting & { values?: string },
): Promise<void> {
  const { form, place } = await session.profile();
  if (!form)
    throw new Failure('no form is open', EXIT.usage, '`tieline click` opens one, if the bot answers with it');
  const given = options.values
    ? (JSON.parse(await jsonFile(session, options.values)) as Record<string, unknown>)
    : {};
  const values = { ...given, ...fieldValues(pairs) };
  await perform(
    session,
    (person) => person.submit(values, { token: form, waitMs: milliseconds(options.wait) }),
    place,
    form,
  );
}

/** Performs an action, shows the result, and stores conversation and form for the next command. */
async function perform(
  session: Session,
  act: (person: Person) => Promise<Answer>,
  place: string | undefined,
  form?: string,
): Promise<void> {
  const person = await session.signedInPerson();
  try {
    const answer = await act(person);
    await session.keep((profile) => {
      profile.place = place;
      profile.form = answer.modalToken ?? (answer.result === 'errors' ? form : undefined);
    });
    session.printer.done(answer, sentence(answer));
  } finally {
    await person.leave();
  }
}
