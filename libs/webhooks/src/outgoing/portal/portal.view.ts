import { Field, OkAnswer } from '@tieline/platform/http';
import type { PortalLink } from './portal-links.js';

export class PortalLinkAnswer extends OkAnswer {
  @Field({
    example: 'https://chat.example/portal/tlp_…',
    description: 'whoever has it sees the log of this subscription; shown here and never again',
  })
  url: string;

  @Field({
    example: '2026-11-22T10:00:00.000Z',
    description: 'in an hour; earlier when the secret is rotated',
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
