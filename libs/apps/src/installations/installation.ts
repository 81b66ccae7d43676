import { nullable } from '@tieline/platform/database';
import { field } from '@tieline/platform/resource';

const TIME = '2026-11-21T09:00:00.000Z';

/** The fields of an installation: an app in a space. */
export const INSTALLATION = {
  id: field('uuid', { key: true, shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d81' }),
  spaceId: field('uuid', { key: true, shown: true, example: '01939d3e-1111-7aaa-9c1d-2f6a5b1c0d11' }),
  appId: field(nullable('uuid'), {
    shown: true,
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71',
    description: 'null for a client that is known by its metadata document',
  }),
  /** The space of the app. */
  appSpaceId: field(nullable('uuid')),
  clientId: field('text', { shown: true, example: 'K1Yk8iRzq0SxVY2i3kQ1xA' }),
  name: field('text', { shown: true, audited: true, example: 'Deploys' }),
  botId: field(nullable('uuid'), {
    shown: true,
    audited: true,
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11',
    description: 'its bot; null if it has none',
  }),
  botScopes: field('text[]', { shown: true, audited: true, example: ['messages:write'] }),
  userScopes: field('text[]', {
    shown: true,
    audited: true,
    example: ['messages:read'],
    description: 'what people may allow it without asking an admin',
  }),
  channelIds: field('uuid[]', {
    shown: true,
    audited: true,
    example: ['01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d31'],
    description: 'channels that its bot is limited to; empty: all',
  }),
  installedBy: field('uuid', { shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d02' }),
  createdAt: field('timestamptz', { shown: true, example: TIME }),
  updatedAt: field('timestamptz', { shown: true, example: TIME }),
  /** Set when the app was uninstalled. */
  deletedAt: field(nullable('timestamptz')),
  /** SHA-256 of the grant that gave the current token of the bot. */
  botGrantHash: field(nullable('bytea')),
};
