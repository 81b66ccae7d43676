import { APP } from '@tieline/apps';
import type { CommandSettings } from '@tieline/slash';
import { field } from '@tieline/platform/resource';
import type { InputOf } from '@tieline/platform/resource';
import { IsString, MaxLength } from 'class-validator';

/** The fields of a manifest that belong to the app, and the address for clicks of its bot. */
export const MANIFEST = {
  name: APP.name,
  description: APP.description,
  iconUrl: APP.iconUrl,
  homepageUrl: APP.homepageUrl,
  // An app that is installed only by its manifest needs none.
  redirectUris: field('text[]', { ...APP.redirectUris.declared, default: [] }),
  clientType: APP.clientType,
  botScopes: APP.botScopes,
  userScopes: APP.userScopes,
  eventUrl: APP.eventUrl,
  tokenRotation: APP.tokenRotation,
  distribution: APP.distribution,
  interactiveUrl: field('text', {
    stored: false,
    settable: ['create'],
    default: '',
    body: { description: 'HTTPS and public; receives clicks on messages of the bot' },
    rules: [MaxLength(2048), IsString()],
    example: 'https://example.com/interactive',
  }),
};

/** How the bot of a new app differs from other bots. Undefined settings have their defaults. */
interface ManifestBot {
  displayName?: string | undefined;
  eventTypes?: string[] | undefined;
  eventDeliveryMode?: 'none' | 'poll' | 'webhook' | undefined;
}

/** A valid manifest. */
export interface Manifest {
  app: InputOf<typeof MANIFEST, 'create'>;
  bot: ManifestBot;
  commands: CommandSettings[];
}
