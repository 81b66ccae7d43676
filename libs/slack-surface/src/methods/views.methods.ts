import { Injectable } from '@nestjs/common';
import { BotRates } from '@tieline/conversations';
import {
  findExternalView,
  findHome,
  findView,
  openView,
  pushView,
  putHome,
  ReadTriggers,
  replaceView,
} from '@tieline/interactive';
import type { AppView, ViewContent } from '@tieline/interactive';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { requireScope } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { SlackError } from '../dispatcher/slack-error.js';
import type { ArgumentKinds } from '../dispatcher/arguments.js';
import type { MethodGroup, SlackCall, SlackMethod } from '../dispatcher/slack-method.js';
import { uuidOf } from '../ids/slack-ids.js';
import { readView } from '../views/read-view.js';
import { FIND_PERSON } from '../views/people.statements.js';
import { ShowViews } from '../views/show-views.js';
import { hashOf, revisionOf } from '../views/view-shapes.js';

const ERRORS = {
  trigger_not_found: 'invalid_trigger_id',
  trigger_of_another_bot: 'invalid_trigger_id',
  trigger_expired: 'expired_trigger_id',
  trigger_used: 'exchanged_trigger_id',
  modal_not_found: 'not_found',
  modal_gone: 'not_found',
  modal_stack_too_deep: 'push_limit_reached',
};
const OPENING = { trigger_id: 'text', view: 'json', interactivity_pointer: 'unused' } as const;

/** `views.*` (docs/slack-apps.md#views). */
@Injectable()
export class ViewsMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    { name: 'views.open', ...shared(OPENING), run: (call) => this.open(call) },
    { name: 'views.push', ...shared(OPENING), run: (call) => this.push(call) },
    {
      name: 'views.update',
      ...shared({ view_id: 'text', external_id: 'text', hash: 'text', view: 'json' }),
      run: (call) => this.update(call),
    },
    {
      name: 'views.publish',
      ...shared({ user_id: 'text', hash: 'text', view: 'json' }),
      run: (call) => this.publish(call),
    },
  ];

  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly triggers: ReadTriggers,
    private readonly shown: ShowViews,
  ) {}

  private async open(call: SlackCall): Promise<object> {
    const bot = botOf(call);
    const content = readView(call.args.json('view'), 'modal', call.warn);
    const { id, userId } = await this.trigger(call, bot);
    const owner = { spaceId: bot.spaceId, botId: bot.botId, userId };
    const { view, ended } = await this.write(bot, userId, async (tx) => {
      await requireNewName(tx, bot, content);
      return openView(tx, owner, content, id);
    });
    this.shown.closed(owner, ended);
    this.shown.opened(view);
    return { view: await this.shown.forApp(view) };
  }

  private async push(call: SlackCall): Promise<object> {
    const bot = botOf(call);
    const content = readView(call.args.json('view'), 'modal', call.warn);
    const { id, userId } = await this.trigger(call, bot);
    const owner = { spaceId: bot.spaceId, botId: bot.botId, userId };
    const view = await this.write(bot, userId, async (tx) => {
      await requireNewName(tx, bot, content);
      return pushView(tx, owner, content, id);
    });
    this.shown.opened(view);
    return { view: await this.shown.forApp(view) };
  }

  private async update(call: SlackCall): Promise<object> {
    const bot = botOf(call);
    const current = await this.viewOf(call, bot);
    const content = readView(call.args.json('view'), current.kind, call.warn);
    const revision = revisionIn(call, current);
    const view = await this.write(bot, current.id, (tx) => replaceView(tx, current, content, revision));
    if (!view) throw new SlackError('hash_conflict');
    this.shown.updated(view);
    return { view: await this.shown.forApp(view) };
  }

  private async publish(call: SlackCall): Promise<object> {
    const bot = botOf(call);
    const content = readView(call.args.json('view'), 'home', call.warn);
    const userId = uuidOf(call.args.required('user_id'), 'user');
    const [person] = userId === undefined ? [] : await this.db.query(FIND_PERSON, [bot.spaceId, userId]);
    if (userId === undefined || !person) throw new SlackError('user_not_found');
    const owner = { spaceId: bot.spaceId, botId: bot.botId, userId };
    const current = await findHome(this.db, owner);
    const revision = current ? revisionIn(call, current) : undefined;
    const view = await this.write(bot, userId, (tx) => putHome(tx, owner, content, revision));
    if (!view) throw new SlackError('hash_conflict');
    this.shown.updated(view);
    return { view: await this.shown.forApp(view) };
  }

  private trigger({ args }: SlackCall, bot: BotPrincipal): ReturnType<ReadTriggers['require']> {
    return this.triggers.require(bot, args.required('trigger_id', 'invalid_trigger_id'));
  }

  private write<T>(bot: BotPrincipal, place: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.rates.write(bot, () => runInTx(this.db, work, { spaceId: bot.spaceId, place }));
  }

  /** @throws SlackError `not_found` also for a view of another bot */
  private async viewOf({ args }: SlackCall, bot: BotPrincipal): Promise<AppView> {
    const [id, external] = [args.text('view_id'), args.text('external_id')];
    const uuid = id === undefined ? undefined : uuidOf(id, 'view');
    const view =
      uuid !== undefined
        ? await findView(this.db, bot.spaceId, uuid)
        : external !== undefined && (await findExternalView(this.db, bot, external));
    if (!view || view.botId !== bot.botId) throw new SlackError('not_found');
    return view;
  }
}

function shared(kinds: ArgumentKinds): Pick<SlackMethod, 'scopes' | 'only' | 'errors' | 'arguments'> {
  return { scopes: [], only: 'bot', errors: ERRORS, arguments: kinds };
}

function botOf({ caller }: SlackCall): BotPrincipal {
  if (caller.kind !== 'bot') throw new SlackError('not_allowed_token_type');
  requireScope(caller, 'interactive');
  return caller;
}

/** @throws SlackError `hash_conflict` for the hash of another version */
function revisionIn({ args }: SlackCall, view: AppView): number | undefined {
  const hash = args.text('hash');
  if (hash === undefined) return undefined;
  if (hash !== hashOf(view)) throw new SlackError('hash_conflict');
  return revisionOf(hash, view);
}

/** An external id names one open view of a bot. */
async function requireNewName(tx: Tx, bot: BotPrincipal, { externalId }: ViewContent): Promise<void> {
  if (externalId !== null && (await findExternalView(tx, bot, externalId)))
    throw new SlackError('duplicate_external_id');
}
