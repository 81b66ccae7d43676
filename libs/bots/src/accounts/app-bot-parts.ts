import type { Tx } from '@tieline/platform/database';
import type { Scope } from '@tieline/platform/http';
import type { ChangedBot } from './record-bot-change.js';

/** A bot of an app. */
export type BotPlace = Pick<ChangedBot, 'spaceId' | 'botId'>;

/**
 * Port to the lib that knows what else belongs to the bot of an app: its commands and shortcuts
 * (docs/apps.md#bots-of-apps). A process that installs apps does not start without it.
 */
export abstract class AppBotParts {
  /** Gives a bot what the bot in the space of the app has, as far as its scopes allow. */
  abstract copy(
    tx: Tx,
    first: BotPlace,
    bot: ChangedBot & { readonly scopes: readonly Scope[] },
  ): Promise<void>;
}
