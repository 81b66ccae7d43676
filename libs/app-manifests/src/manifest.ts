import { APP } from '@tieline/apps';
import type { ShortcutSettings } from '@tieline/interactive';
import type { CommandSettings } from '@tieline/slash';
import { field } from '@tieline/platform/resource';
import type { InputOf } from '@tieline/platform/resource';

/** The fields of a manifest that belong to the app and can change. */
export const CHANGEABLE = {
  name: APP.name,
  description: APP.description,
  iconUrl: APP.iconUrl,
  homepageUrl: APP.homepageUrl,
  installUrl: APP.installUrl,
  // An app that is installed only by its manifest needs none.
  redirectUris: field('text[]', { ...APP.redirectUris.declared, default: [] }),
  botScopes: APP.botScopes,
  userScopes: APP.userScopes,
  eventUrl: APP.eventUrl,
  eventFormat: APP.eventFormat,
  interactiveUrl: APP.interactiveUrl,
  tokenRotation: APP.tokenRotation,
  distribution: APP.distribution,
};

/** The fields of a manifest that belong to the app. */
export const MANIFEST = { ...CHANGEABLE, clientType: APP.clientType };

/** How the bot of a new app differs from other bots. Undefined settings have their defaults. */
interface ManifestBot {
  displayName?: string | undefined;
  eventTypes?: string[] | undefined;
  slackEvents?: string[] | undefined;
  eventDeliveryMode?: 'none' | 'poll' | 'webhook' | undefined;
}

/** A valid manifest. */
export interface Manifest {
  app: InputOf<typeof MANIFEST, 'create'>;
  bot: ManifestBot;
  commands: CommandSettings[];
  shortcuts: ShortcutSettings[];
}
