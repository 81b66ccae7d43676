import { Field, OkAnswer } from '@tieline/platform/http';
import type { ListedShortcut, Shortcut } from './shortcuts.queries.js';
import { SHORTCUT_TYPES } from './shortcuts.statements.js';
import type { ShortcutType } from './shortcuts.statements.js';

/** What bots, admins and people see of a shortcut. */
class ShownShortcut {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71' })
  id: string;

  @Field({ example: 'New ticket' })
  name: string;

  @Field({ example: 'Opens a form for a ticket', description: '"" if it has none' })
  description: string;

  @Field({ enum: SHORTCUT_TYPES, example: 'global' })
  type: ShortcutType;
}

/** A shortcut of a bot. */
export class ShortcutView extends ShownShortcut {
  @Field({ example: 'new_ticket' })
  callback_id: string;
}

/** Response with all shortcuts of a bot. */
export class ShortcutsAnswer extends OkAnswer {
  @Field({ type: ShortcutView, isArray: true, description: 'by name' })
  shortcuts: ShortcutView[];
}

/** A shortcut as people's clients show it. */
export class ListedShortcutView extends ShownShortcut {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11' })
  bot_id: string;

  @Field({ example: 'Helpdesk' })
  bot_name: string;
}

/** Response of GET /client/shortcuts. */
export class ListedShortcutsAnswer extends OkAnswer {
  @Field({ type: ListedShortcutView, isArray: true, description: 'by name' })
  shortcuts: ListedShortcutView[];
}

/** Builds the response for the bot and for admins. */
export function shortcutsAnswer(shortcuts: readonly Shortcut[]): ShortcutsAnswer {
  const views = shortcuts.map((shortcut) => ({
    ...shownShortcut(shortcut),
    callback_id: shortcut.callbackId,
  }));
  return { ok: true, shortcuts: views };
}

/** Builds the response for people. */
export function listedShortcutsAnswer(shortcuts: readonly ListedShortcut[]): ListedShortcutsAnswer {
  const views = shortcuts.map((shortcut) => ({
    ...shownShortcut(shortcut),
    bot_id: shortcut.botId,
    bot_name: shortcut.botName,
  }));
  return { ok: true, shortcuts: views };
}

const shownShortcut = ({ id, name, description, type }: ShownShortcut): ShownShortcut => ({
  id,
  name,
  description,
  type,
});
