import { field } from '@tieline/platform/resource';

const TIME = '2026-11-21T09:00:00.000Z';

/** The fields of an authorization: what a person allowed a client. */
export const AUTHORIZATION = {
  id: field('uuid', { key: true, shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d91' }),
  spaceId: field('uuid', { key: true }),
  installationId: field('uuid'),
  userId: field('uuid'),
  clientId: field('text', { shown: true, example: 'K1Yk8iRzq0SxVY2i3kQ1xA' }),
  /** What its tokens of the person allow; empty if it gives only the token of the bot. */
  scopes: field('text[]', { shown: true, example: ['messages:read'] }),
  /** Whether it gives the token of the bot, too. */
  forBot: field('bool'),
  /** SHA-256 of the grant's id. */
  grantHash: field('bytea'),
  createdAt: field('timestamptz', { shown: true, example: TIME }),
  expiresAt: field('timestamptz', {
    shown: true,
    example: '2026-12-21T09:00:00.000Z',
    description: 'when its tokens expire unless they are refreshed',
  }),
};
