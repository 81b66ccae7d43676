import type { ApiClient } from '../../../api/api-session.js';
import type { Fields } from '../blocks/metadata.js';
import type { State } from './state.js';
import type { Suggestions } from './surface.js';

/** A modal or Home tab of an app, with blocks in Slack's format. */
export interface AppView {
  id: string;
  type: string;
  bot_id: string;
  title?: unknown;
  submit?: unknown;
  close?: unknown;
  blocks: readonly Fields[];
  state?: { values?: State };
}

/** What happens to a modal after its submission. */
export interface Submitted {
  result: 'closed' | 'errors' | 'updated' | 'pushed' | 'cleared';
  errors?: Readonly<Record<string, string>>;
  view?: AppView;
}

/** A shortcut of a bot: for anywhere, or for one message. */
export interface Shortcut {
  id: string;
  bot_id: string;
  bot_name: string;
  name: string;
  description: string;
  type: 'global' | 'message';
}

/** An action as endpoints accept it. */
export interface ActionBody {
  block_id: string;
  action_id: string;
  value: Fields;
  state: State;
}

interface OptionsBody {
  block_id: string;
  action_id: string;
  query: string;
}

/** What blocks belong to, in addresses. */
export type Owner = `messages/${string}` | `views/${string}`;

const BASE = '/api/v1/client';

async function post<Answer>(client: ApiClient, path: string, body: object): Promise<Answer> {
  const { data } = await client.post<{ 200: Answer }, unknown, true>({
    url: `${BASE}/${path}`,
    headers: { 'Content-Type': 'application/json' },
    body,
    throwOnError: true,
  });
  return data as Answer;
}

async function get<Answer>(client: ApiClient, path: string): Promise<Answer> {
  const { data } = await client.get<{ 200: Answer }, unknown, true>({
    url: `${BASE}/${path}`,
    throwOnError: true,
  });
  return data as Answer;
}

export const sendAction = (client: ApiClient, owner: Owner, body: ActionBody) =>
  post<unknown>(client, `${owner}/block_actions`, body);

export const suggestOptions = (client: ApiClient, owner: Owner, body: OptionsBody) =>
  post<Suggestions>(client, `${owner}/block_options`, body);

export const submitView = (client: ApiClient, viewId: string, state: State) =>
  post<Submitted>(client, `views/${viewId}/submit`, { state });

export const closeView = (client: ApiClient, viewId: string, isCleared = false) =>
  post<unknown>(client, `views/${viewId}/close`, { clear: isCleared });

export const getHome = (client: ApiClient, botId: string) =>
  get<{ view: AppView | null }>(client, `bots/${botId}/home`);

export const listShortcuts = (client: ApiClient) => get<{ shortcuts: Shortcut[] }>(client, 'shortcuts');

export const runShortcut = (client: ApiClient, id: string, body: { message_id?: string }) =>
  post<unknown>(client, `shortcuts/${id}`, body);
