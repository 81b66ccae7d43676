import { nullable, text } from '@tieline/platform/database';
import { field } from '@tieline/platform/resource';

export const REQUEST_STATES = ['pending', 'approved', 'denied'] as const;
/** Whether an admin has decided. */
export type RequestState = (typeof REQUEST_STATES)[number];

const TIME = '2026-11-21T09:00:00.000Z';

/** The fields of a member's request to install an app. */
export const APP_REQUEST = {
  id: field('uuid', { key: true, shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0da1' }),
  spaceId: field('uuid', { key: true }),
  userId: field('uuid', {
    shown: true,
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d02',
    description: 'the member who asks',
  }),
  appId: field(nullable('uuid'), {
    shown: true,
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71',
    description: 'null for a client that is known by its metadata document',
  }),
  appSpaceId: field(nullable('uuid')),
  clientId: field('text', { shown: true, example: 'K1Yk8iRzq0SxVY2i3kQ1xA' }),
  name: field('text', { shown: true, audited: true, example: 'Deploys' }),
  botScopes: field('text[]', { shown: true, audited: true, example: ['messages:write'] }),
  userScopes: field('text[]', { shown: true, audited: true, example: ['messages:read'] }),
  state: field(text<RequestState>(), { shown: true, enum: REQUEST_STATES }),
  decidedBy: field(nullable('uuid'), { shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d03' }),
  decidedAt: field(nullable('timestamptz'), { shown: true, example: TIME }),
  createdAt: field('timestamptz', { shown: true, example: TIME }),
};
