import { Injectable } from '@nestjs/common';
import {
  botAnswerUnreadable,
  claimView,
  clickRules,
  countInteraction,
  endClaimedView,
  endViews,
  modalNotFound,
  pushView,
  releaseView,
  replaceView,
} from '@tieline/interactive';
import type { AppView, ViewClaim } from '@tieline/interactive';
import { ApiError } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { RateLimiter } from '@tieline/rate-limit';
import { flatBlocks } from '../blocks/find-element.js';
import { isObject } from '../blocks/rules.js';
import type { Json } from '../blocks/rules.js';
import type { StateValues } from '../blocks/state.js';
import { SlackError } from '../dispatcher/slack-error.js';
import { AskApp } from '../interactions/ask-app.js';
import { PersonViews, requireClaim } from './person-views.js';
import { readView } from './read-view.js';
import { ResponseUrls } from './response-urls.js';
import { ShowViews } from './show-views.js';
import { blocksOf, shownView, storedView } from './view-shapes.js';

/** What a submission did to the view. */
export type SubmitResult =
  | { result: 'closed' | 'cleared' }
  | { result: 'errors'; errors: Record<string, string> }
  | { result: 'updated' | 'pushed'; view: Json };

type Answer =
  | { action: 'close' | 'clear' }
  | { action: 'errors'; errors: Record<string, string> }
  | { action: 'update' | 'push'; content: ReturnType<typeof readView> };

const REQUIRED = 'This field is required.';
const MAX_ERROR = 2000;
/** Of which fields of a value the person filled in none. */
const IGNORED = new Set(['type']);

/** Submits and closes views (docs/slack-apps.md#views). */
@Injectable()
export class SubmitView {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
    private readonly views: PersonViews,
    private readonly app: AskApp,
    private readonly shown: ShowViews,
    private readonly urls: ResponseUrls,
  ) {}

  /**
   * Submits a view. Required inputs are checked before the app gets the submission.
   * @throws 404, 409 if it is covered or being submitted. 400 invalid values. 503 no usable answer,
   *   and the view can be submitted again.
   */
  async submit(user: UserPrincipal, viewId: string, state: unknown): Promise<SubmitResult> {
    const view = await this.views.requireUsable(user, viewId);
    if (view.kind !== 'modal') throw modalNotFound();
    await countInteraction(this.limiter, clickRules(user.userId, viewId, view.botId));
    const values = await this.views.stateOf(user, view, state);
    const missing = missingIn(view, values);
    if (Object.keys(missing).length > 0) return { result: 'errors', errors: missing };
    const claim = requireClaim(await claimView(this.db, view));
    try {
      const result = await this.ask(view, claim, values);
      if (result.result === 'errors') await releaseView(this.db, claim);
      return result;
    } catch (error) {
      await releaseView(this.db, claim).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Closes a view and those on top of it, or all. Apps that set `notify_on_close` get
   * `view_closed`; their answer has no effect.
   */
  async close(user: UserPrincipal, viewId: string, clear: boolean): Promise<void> {
    const view = await this.views.require(user, viewId);
    if (view.kind !== 'modal') throw modalNotFound();
    const isCleared = clear || storedView(view)['clear_on_close'] === true;
    const told = storedView(view)['notify_on_close'] === true;
    const payload = told && {
      type: 'view_closed',
      view: await this.shown.forApp(view),
      is_cleared: isCleared,
    };
    const ended = await this.write(view, (tx) => endViews(tx, view, isCleared ? 1 : view.depth));
    this.shown.closed(view, ended);
    if (payload) await this.app.ask(view, payload).catch(ignoreRefusal);
  }

  private async ask(view: AppView, claim: ViewClaim, values: StateValues): Promise<SubmitResult> {
    const given = await this.app.ask(view, {
      type: 'view_submission',
      trigger_id: this.views.triggerOf(view),
      view: await this.shown.forApp(view, values),
      response_urls: this.urls.of(view, values),
    });
    const answer = readAnswer(given);
    try {
      return await this.write(view, (tx) => apply(tx, view, claim, answer));
    } catch (error) {
      // Three views are open: the app cannot push a fourth one.
      throw error instanceof ApiError && error.status === 400 ? botAnswerUnreadable('') : error;
    }
  }

  private write<T>({ spaceId, id }: AppView, work: (tx: Tx) => Promise<T>): Promise<T> {
    return runInTx(this.db, work, { spaceId, place: id });
  }
}

async function apply(tx: Tx, view: AppView, claim: ViewClaim, answer: Answer): Promise<SubmitResult> {
  switch (answer.action) {
    case 'close':
      await endClaimedView(tx, claim);
      return { result: 'closed' };
    case 'clear':
      await endViews(tx, view, 1);
      return { result: 'cleared' };
    case 'errors':
      return { result: 'errors', errors: answer.errors };
    case 'update': {
      const replaced = await replaceView(tx, view, answer.content);
      if (!replaced) throw modalNotFound();
      await releaseView(tx, claim);
      return { result: 'updated', view: shownView(replaced) };
    }
    case 'push': {
      const pushed = await pushView(tx, view, answer.content);
      await releaseView(tx, claim);
      return { result: 'pushed', view: shownView(pushed) };
    }
  }
}

/** Reads the answer to a submission. @throws 503 for one that is not valid */
function readAnswer(given: Json): Answer {
  const { response_action: action, errors, view } = given;
  switch (action) {
    case undefined:
    case null:
    case '':
      return { action: 'close' };
    case 'clear':
      return { action };
    case 'errors':
      if (!isObject(errors) || Object.keys(errors).length === 0) break;
      return { action, errors: textsIn(errors) };
    case 'update':
    case 'push':
      try {
        return { action, content: readView(view, 'modal', () => undefined) };
      } catch (error) {
        if (!(error instanceof SlackError)) throw error;
      }
  }
  throw botAnswerUnreadable('');
}

function textsIn(errors: Json): Record<string, string> {
  const texts: [string, string][] = Object.entries(errors)
    .slice(0, 100)
    .map(([id, text]) => [id, String(text).slice(0, MAX_ERROR)]);
  return Object.fromEntries(texts);
}

/** Returns an error for each input that must be filled in and is not. */
function missingIn(view: AppView, values: StateValues): Record<string, string> {
  const missing: [string, string][] = [];
  for (const { type, block_id: id, optional, element } of flatBlocks(blocksOf(view))) {
    if (type !== 'input' || optional === true || !isObject(element)) continue;
    const value = values[String(id)]?.[String(element['action_id'])];
    if (value && isEmpty(value)) missing.push([String(id), REQUIRED]);
  }
  return Object.fromEntries(missing);
}

function isEmpty(value: Json): boolean {
  return Object.entries(value)
    .filter(([name]) => !IGNORED.has(name))
    .every(([, part]) => part == null || part === '' || (Array.isArray(part) && part.length === 0));
}

/** The person's request is done in any case. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
