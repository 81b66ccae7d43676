import path from 'node:path';
import { startTieline } from '@tieline/sdk/testing';
import type { PersonEvent, Tieline } from '@tieline/sdk/testing';
import type { Command } from 'commander';
import { action } from '../action.js';
import { checkoutOf } from '../server/checkout.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { botIn, ChildBot } from './child-bot.js';
import type { BotCommand } from './child-bot.js';
import { Conversation, eventLine, isShared } from './conversation.js';

interface DevOptions {
  readonly port?: string;
  readonly via: string;
  readonly bot: boolean;
}

const PROFILE = 'dev';
/** How long a bot may take to start before the user sees that it is not ready yet. */
const SOON_MS = 15_000;
const HINT = 'Type /hello, or anything else; help shows more. Ctrl-C ends it.';

/** `dev`: runs a temporary Tieline with the bot of a folder. */
export function addDev(program: Command, terminal: Terminal): void {
  program
    .command('dev [folder]')
    .summary('run a temporary Tieline on this machine, with your bot')
    .description(
      `Starts the real thing on a database that is thrown away: a space, people, channels, a bot and a webhook are there. The bot of the folder (bot.ts, bot.mjs, bot.py, or the start script) runs beside it, and is started again when its file changes.\nWhat you type is said by Ada in #general; \`help\` shows what else can be typed. In other terminals --profile ${PROFILE} means this Tieline.`,
    )
    .option('--port <port>', 'port of the api (default: a free one)')
    .option('--via <form>', 'how the bot receives events: poll or socket', 'socket')
    .option('--no-bot', 'do not run a bot')
    .action(action(terminal, dev));
}

async function dev(session: Session, given: string | undefined, options: DevOptions): Promise<void> {
  const { terminal } = session;
  const folder = path.resolve(terminal.folder, given ?? '.');
  checkoutOf(session);
  const bot = options.bot ? await botIn(folder) : undefined;
  if (given && options.bot && !bot)
    throw new Failure(`there is no bot in ${folder}`, EXIT.notFound, '`tieline bot init` begins one');
  terminal.progress('starting Tieline …');
  const tieline = await startTieline({
    ...(options.port && { port: Number(options.port) }),
    say: (line) => terminal.err(line),
  });
  terminal.progress(undefined);
  const undo = [() => tieline.stop()];
  try {
    await keepProfile(session, tieline);
    undo.push(() => forgetProfile(session));
    announce(session, tieline, bot !== undefined);
    await showEvents(session, tieline);
    if (bot) undo.push(runBot(session, tieline, { bot, folder, via: options.via }));
    await new Conversation(session, tieline).run();
  } finally {
    for (const step of undo.reverse()) await step();
    terminal.err('stopped');
  }
}

function announce(session: Session, tieline: Tieline, hasBot: boolean): void {
  const { people, channels, bot, webhook } = tieline.world;
  if (session.printer.isJson)
    return session.printer.event(
      {
        event: 'ready',
        url: tieline.url,
        ready_in_ms: tieline.readyInMs,
        ...tieline.world,
        operator_token: tieline.operatorToken,
      },
      '',
    );
  const lines = [
    `Tieline is ready in ${(tieline.readyInMs / 1000).toFixed(1)} s`,
    '',
    `  address   ${tieline.url}   (API docs: ${tieline.url}/api/docs)`,
    `  people    ${Object.keys(people).join(', ')}   channels  ${Object.keys(channels).join(', ')}`,
    `  bot       ${bot.display_name}   TIELINE_TOKEN=${bot.token}`,
    `  webhook   ${tieline.url}${webhook.path}   secret ${webhook.secret}`,
    '',
    hasBot
      ? 'The bot is starting …'
      : `There is no bot here. Start one with TIELINE_URL=${tieline.url} and that token, or begin one: tieline bot init`,
  ];
  for (const line of lines) session.terminal.out(line);
}

/** Saves the profile `dev`, so that other terminals reach this Tieline with `--profile dev`. */
async function keepProfile(session: Session, { url, world, operatorToken }: Tieline): Promise<void> {
  await session.file.change((all) => {
    all.profiles[PROFILE] = {
      url,
      operatorToken,
      token: world.people.ada!.token,
      bots: { [world.bot.display_name]: world.bot.token },
      hooks: { Alerts: { url: `${url}${world.webhook.path}`, secret: world.webhook.secret } },
    };
    if (!all.profiles[all.current]) all.current = PROFILE;
  });
}

async function forgetProfile(session: Session): Promise<void> {
  await session.file.change((all) => {
    delete all.profiles[PROFILE];
    if (all.current === PROFILE) all.current = Object.keys(all.profiles)[0] ?? 'default';
  });
}

async function showEvents(session: Session, tieline: Tieline): Promise<void> {
  const { people, channels, bot } = tieline.world;
  const names = new Map<unknown, string>([
    ...Object.values(people).map((one) => [one.id, one.display_name] as const),
    ...Object.entries(channels).map(([name, { id }]) => [id, `#${name}`] as const),
    [bot.id, bot.display_name],
  ]);
  const show = (event: PersonEvent): void => session.printer.event(event, eventLine(event, names));
  (await tieline.person('owner').stream()).onEvent = show;
  // Forms, ephemeral texts and direct chats appear only on the streams of their people.
  for (const name of ['ada', 'ben'])
    (await tieline.person(name).stream()).onEvent = (event) => {
      if (!isShared(event, names)) show({ ...event, to: name });
    };
}

function runBot(
  session: Session,
  tieline: Tieline,
  { bot, folder, via }: { bot: BotCommand; folder: string; via: string },
): () => Promise<void> {
  const { printer } = session;
  const late = setTimeout(() => printer.note(`The bot has not said that it is ready. ${HINT}`), SOON_MS);
  const child = new ChildBot(bot, {
    folder,
    env: {
      ...session.terminal.env,
      PYTHONUNBUFFERED: '1',
      ...tieline.env,
      ...tieline.pythonPath,
      TIELINE_VIA: via,
    },
    say: (line) => printer.note(line),
    ready: () => {
      clearTimeout(late);
      printer.event({ event: 'bot_ready' }, HINT);
    },
    tie: (pid) => tieline.endWithUs(pid),
  });
  child.start();
  return () => {
    clearTimeout(late);
    return child.stop();
  };
}
