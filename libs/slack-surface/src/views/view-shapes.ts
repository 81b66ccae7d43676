import type { AppView } from '@tieline/interactive';
import { slackId } from '../ids/slack-ids.js';
import type { Json } from '../blocks/rules.js';
import type { StateValues } from '../blocks/state.js';

/** Returns what the app sent, with the ids that were filled in. */
export const storedView = ({ json }: Pick<AppView, 'json'>): Json => JSON.parse(json) as Json;

/** Returns whether a native bot published it, which gets native events. */
export const isNative = (view: AppView): boolean => storedView(view)['isNative'] === true;

/** Returns the blocks of a view. */
export const blocksOf = (view: AppView): readonly Json[] => storedView(view)['blocks'] as readonly Json[];

/** Returns the hash of the current version of a view. */
export const hashOf = ({ id, revision }: Pick<AppView, 'id' | 'revision'>): string =>
  `${revision}.${id.slice(-8)}`;

/** Returns the version that a hash names; undefined if it is not a hash of this view. */
export function revisionOf(hash: string, { id }: Pick<AppView, 'id'>): number | undefined {
  const [, revision, tail] = /^(\d{1,9})\.([0-9a-f]{8})$/.exec(hash) ?? [];
  return tail === id.slice(-8) ? Number(revision) : undefined;
}

/**
 * Returns a view as its app sees it.
 * @param appId of the app that the bot belongs to, if any
 * @param values what the person entered
 */
export function appView(view: AppView, appId: string | undefined, values: StateValues = {}): Json {
  const { spaceId, botId, id, previousId, rootId, externalId } = view;
  const team = slackId('space', spaceId);
  const { isNative: _, ...stored } = storedView(view);
  return {
    id: slackId('view', id),
    team_id: team,
    app_id: slackId('app', appId ?? botId),
    app_installed_team_id: team,
    bot_id: slackId('bot', botId),
    title: { type: 'plain_text', text: 'View Title', emoji: true },
    close: null,
    submit: null,
    clear_on_close: false,
    notify_on_close: false,
    ...stored,
    state: { values },
    hash: hashOf(view),
    previous_view_id: previousId === null ? null : slackId('view', previousId),
    root_view_id: slackId('view', rootId),
    external_id: externalId ?? '',
  };
}

/** Returns a view as its person sees it: without what the app keeps to itself. */
export function shownView(view: AppView): Json {
  const { id, botId, previousId, rootId } = view;
  const { type, title, submit, close, submit_disabled: isDisabled, blocks } = storedView(view);
  return {
    id,
    bot_id: botId,
    type,
    title: title ?? null,
    submit: submit ?? null,
    close: close ?? null,
    submit_disabled: isDisabled === true,
    blocks,
    hash: hashOf(view),
    previous_view_id: previousId,
    root_view_id: rootId,
    state: { values: {} },
  };
}
