import net from 'node:net';
import { bool, int, list, settings } from '@tieline/platform/config';

/** Where outgoing requests may go, and how long one may take. */
export class EgressSettings extends settings('Outgoing requests', {
  allowHttp: bool('EGRESS_ALLOW_HTTP', {
    default: false,
    shown: 'false (embedded default: true)',
    text: 'allow `http://` targets',
  }),
  allowedCidrs: list('EGRESS_ALLOWED_CIDRS', {
    check: (cidrs) =>
      cidrs.filter((cidr) => !isCidr(cidr)).map((cidr) => `has "${cidr}", which is no address range`),
    shown: 'empty (embedded default: `127.0.0.0/8,::1/128`)',
    text: 'non-public ranges that may be reached; set but empty means none',
  }),
  deliveryTimeoutMs: int('DELIVERY_TIMEOUT_MS', {
    default: 5000,
    min: 50,
    max: 120_000,
    text: 'limit for one attempt of a delivery, everything included',
  }),
  callbackTimeoutMs: int('CALLBACK_TIMEOUT_MS', {
    default: 3000,
    min: 50,
    max: 60_000,
    text: 'limit for a callback of a slash command, button, select or modal',
  }),
}) {}

function isCidr(value: string): boolean {
  const [address, bits, rest] = value.split('/');
  if (address === undefined || rest !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
    return false;
  const family = net.isIP(address);
  return family !== 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
}
