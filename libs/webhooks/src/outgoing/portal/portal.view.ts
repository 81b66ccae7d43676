import { Field, OkAnswer } from '@tieline/platform/http';
import type { PortalLink } from './portal-links.js';

export class PortalLinkAnswer extends OkAnswer {
  @Field({
    example: 'https://chat.example/portal/tlp_…',
    description: 'gives anyone who has it access to the log of this subscription; shown only once',
  })
  url: string;

  @Field({
    example: '2026-11-22T10:00:00.000Z',
    description: 'in an hour; the link also stops working when the secret is rotated',
  })
  expires_at: string;
}

export class PortalSubscriptionAnswer extends OkAnswer {
  @Field({ example: 'Deploy log' })
  name: string;
}

export function portalLinkAnswer({ url, expiresAt }: PortalLink): PortalLinkAnswer {
  return { ok: true, url, expires_at: expiresAt.toISOString() };
}
