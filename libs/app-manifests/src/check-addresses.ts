import { urlRefused } from '@tieline/egress';
import type { EgressPolicy } from '@tieline/egress';
import type { Manifest } from './manifest.js';

/**
 * Checks the addresses of a manifest. Resolves names, so it must not run inside a transaction.
 * @throws 400 for an address that outgoing requests may not reach
 */
export async function checkAddresses(egress: EgressPolicy, { app, commands }: Manifest): Promise<void> {
  const addresses = [
    ['manifest.event_url', app.eventUrl],
    ['manifest.interactive_url', app.interactiveUrl],
    ...commands.map(({ callbackUrl }, at) => [`manifest.commands[${at}].callback_url`, callbackUrl] as const),
  ] as const;
  for (const [field, address] of addresses) {
    if (address === undefined || address === '') continue;
    const verdict = await egress.checkUrlResolved(address);
    if (!verdict.allowed) throw urlRefused(field, verdict.reason);
  }
}
