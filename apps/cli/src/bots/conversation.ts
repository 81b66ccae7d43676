import { elementsOf } from '@tieline/sdk/testing';
import type { Answer, PersonEvent, Tieline } from '@tieline/sdk/testing';
import { reportFailure } from '../output/failures.js';
import { fieldValues } from '../people/field-values.js';
import { sentence } from '../people/sentences.js';
import type { Session } from '../profiles/session.js';

const HELP = `  anything else         said in the channel; /name … is a command
  click <action_id>     a button of the newest message that has it
  select <id> <value>…  in a select or another element with values
  judge <id> <choice>   on feedback buttons: positive, negative or none
  prompts               that bots suggest here
  prompt <number>       say the message of a prompt
  submit a=b …          the form that is open
  as <person>           be somebody else: owner, ada, ben
  in <channel>          go somewhere else: general, random, ops
  dm                    open the direct chat with the bot
  advance <duration>    move time: retries, reminders, expiries
  requests              what was sent, with every attempt
  messages              of this channel
  quit                  end it`;

/** Executes the commands that a user types next to a running simulator, one at a time. */
export class Conversation {
  #who = 'ada';
  #where = 'general';

  constructor(
    private readonly session: Session,
    private readonly tieline: Tieline,
  ) {}

  /** Runs until Ctrl-C or `quit`. The end of piped input leaves the simulator running. */
  async run(): Promise<void> {
    const { terminal } = this.session;
    for await (const line of terminal.lines()) {
      if (line.trim() === 'quit') return;
      if (line.trim() !== '') await this.#carryOut(line.trim());
      if (terminal.signal.aborted) return;
    }
    if (!terminal.signal.aborted)
      await new Promise((done) => terminal.signal.addEventListener('abort', done, { once: true }));
  }

  async #carryOut(line: string): Promise<void> {
    const { printer } = this.session;
    try {
      const answer = await this.#perform(line);
      if (answer && answer.result !== 'sent') printer.event(answer, sentence(answer));
    } catch (error) {
      printer.failure(reportFailure(error));
    }
  }

  async #perform(line: string): Promise<Answer | undefined> {
    const [word, ...rest] = line.split(/\s+/);
    const person = this.tieline.person(this.#who);
    const place = { in: this.#where };
    switch (word) {
      case 'help':
        this.session.printer.note(HELP);
        return undefined;
      case 'click':
        return person.click(rest[0] ?? '', place);
      case 'select':
        return person.select(rest[0] ?? '', rest.slice(1), place);
      case 'judge':
        return person.judge(rest[0] ?? '', choiceOf(rest[1]), place);
      case 'prompts':
        return this.#prompts();
      case 'prompt':
        return person.say(this.#where, await this.#promptAt(Number(rest[0])));
      case 'dm':
        return this.#openDm();
      case 'submit':
        return person.submit(fieldValues(pairsOf(line.slice('submit'.length))));
      case 'as':
        this.tieline.person(rest[0] ?? '');
        this.#who = rest[0] ?? this.#who;
        return undefined;
      case 'in':
        await person.messages(rest[0] ?? '', 1);
        this.#where = rest[0] ?? this.#where;
        return undefined;
      case 'advance':
        await this.tieline.advance(rest[0] ?? '');
        return undefined;
      case 'requests':
        await this.#requests();
        return undefined;
      case 'messages':
        for (const { text, ...message } of await person.messages(this.#where))
          this.session.printer.event(message, `${text} ${buttons(message)}`.trimEnd());
        return undefined;
      default:
        return person.say(this.#where, line);
    }
  }

  async #openDm(): Promise<undefined> {
    const { bot } = this.tieline.world;
    const person = this.tieline.person(this.#who);
    this.#where = await person.dm(bot.id);
    await person.open(this.#where);
    this.session.printer.note(`in the direct chat with ${bot.display_name}`);
  }

  async #prompts(): Promise<undefined> {
    const { printer } = this.session;
    const shown = await this.#shownPrompts();
    if (shown.length === 0) printer.note('no bot suggests anything here');
    for (const [index, { title, message }] of shown.entries())
      printer.event({ number: index + 1, title, message }, `${index + 1}  ${title}: ${message}`);
  }

  async #promptAt(number: number): Promise<string> {
    const prompt = (await this.#shownPrompts())[number - 1];
    if (!prompt) throw new Error('no such prompt: `prompts` lists them');
    return prompt.message;
  }

  async #shownPrompts(): Promise<{ title: string; message: string }[]> {
    const all = await this.tieline.person(this.#who).prompts(this.#where);
    return all.flatMap(({ prompts }) => prompts);
  }

  async #requests(): Promise<void> {
    const sent = await this.tieline.requests();
    const columns = [
      { title: 'kind', of: (one: (typeof sent)[number]) => one.kind },
      { title: 'to', of: (one: (typeof sent)[number]) => one.to },
      { title: 'event', of: (one: (typeof sent)[number]) => one.event },
      { title: 'status', of: (one: (typeof sent)[number]) => one.status },
      {
        title: 'attempts',
        of: ({ attempts }: (typeof sent)[number]) => attempts.map((each) => each.statusCode ?? each.error),
      },
    ];
    this.session.printer.list(sent, columns, 'nothing was sent yet');
  }
}

/** Parses `a=b c="d e"` into pairs. */
export function pairsOf(text: string): string[] {
  return [...text.matchAll(/([\w-]+:?=)(?:"([^"]*)"|(\S*))/g)].map(
    ([, name, quoted, bare]) => `${name}${quoted ?? bare ?? ''}`,
  );
}

function choiceOf(word: string | undefined): 'positive' | 'negative' | 'none' {
  if (word === 'positive' || word === 'negative' || word === 'none') return word;
  throw new Error('say positive, negative or none');
}

/** Whether members of a shared channel receive the event too, so that one stream shows it. */
export function isShared(event: PersonEvent, names: ReadonlyMap<unknown, string>): boolean {
  const { event: kind, conversation_id: place, conversation_context: context } = event;
  if (/^(message|reaction)\./.test(kind)) return (context as { scope?: string } | undefined)?.scope !== 'dm';
  return /^(bot|thread|execution_task)\./.test(kind) && names.has(place);
}

/** Formats a stream event as one line. */
export function eventLine(event: PersonEvent, names: ReadonlyMap<unknown, string>): string {
  const name = (id: unknown): string => names.get(id) ?? String(id ?? '');
  const time = new Date().toISOString().slice(11, 19);
  const { event: kind, text, author_id: author, conversation_id: place, to } = event;
  if (kind.startsWith('message.')) {
    const verb = { 'message.edited': ' (edited)', 'message.deleted': ' (deleted)' }[kind] ?? '';
    return `${time}  ${name(place)}  ${name(author)}${verb}: ${String(text ?? '')} ${buttons({ metadata_json: event.metadata_json })}`.trimEnd();
  }
  const detail =
    text ??
    event.emoji ??
    titlesOf(event) ??
    event.title ??
    (event.modal as { title?: string } | undefined)?.title ??
    event.errors ??
    '';
  const words = typeof detail === 'object' ? JSON.stringify(detail) : String(detail);
  return `${time}  ${kind}${to ? ` to ${String(to)}` : ''}: ${words}`;
}

/** Returns the titles of the prompts that a bot suggests. */
function titlesOf({ prompts }: PersonEvent): string | undefined {
  if (!Array.isArray(prompts)) return undefined;
  return prompts.map(({ title }: { title: string }) => `[${title}]`).join(' ');
}

const buttons = (message: { metadata_json?: unknown }): string =>
  elementsOf(message)
    .map(({ action_id: id }) => `[${id}]`)
    .join(' ');
