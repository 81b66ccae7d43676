import net from 'node:net';
import { bool, int, list, settings } from '@tieline/platform/config';

/** Allowed targets and timeouts of outgoing requests. */
export class EgressSettings extends settings('Outgoing requests', {
  allowHttp: bool('EGRESS_ALLOW_HTTP', {
    default: false,
    shown: 'false (embedded default: true)',
    text: 'allow targets with `http://`',
  }),
  allowedCidrs: list('EGRESS_ALLOWED_CIDRS', {
    check: (cidrs) =>
      cidrs.filter((cidr) => !isCidr(cidr)).map((cidr) => `has "${cidr}", which is not an address range`),
    shown: 'empty (embedded default: `127.0.0.0/8,::1/128`)',
    text: 'non-public address ranges that [outgoing requests](security.md#outgoing-requests) may reach; empty means none',
  }),
  deliveryTimeoutMs: int('DELIVERY_TIMEOUT_MS', {
    default: 5000,
    min: 50,
    max: 120_000,
    text: 'timeout of one delivery attempt, from name lookup to response',
  }),
  callbackTimeoutMs: int('CALLBACK_TIMEOUT_MS', {
    default: 3000,
    min: 50,
    max: 60_000,
    text: 'timeout of a callback for a click, form or slash command',
  }),
}) {}

function isCidr(value: string): boolean {
  const [address, bits, rest] = value.split('/');
  if (address === undefined || rest !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
    return false;
  const family = net.isIP(address);
  return family !== 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
}
