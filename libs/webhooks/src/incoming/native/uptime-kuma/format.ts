import { asResolved, line } from '../parts/native-format.js';
import type { NativeFormat } from '../parts/native-format.js';
import type { Payload } from '../../message/payload.js';
import { alertKeys, keyOf } from '../parts/native-keys.js';
import type { NativeKeys } from '../parts/native-keys.js';

const DOWN = '0';
const UP = '1';

/**
 * The "Webhook" notification of Uptime Kuma. In its test message, heartbeat and monitor are null.
 */
export const UPTIME_KUMA: NativeFormat = {
  name: 'Uptime Kuma',
  recognizes: (body) =>
    body.isText('msg') &&
    ['heartbeat', 'monitor'].every(
      (name) => body.isObject(name) || (body.keys.includes(name) && !body.has(name)),
    ),
  read: (body) => {
    const status = body.text('heartbeat', 'status');
    const name = body.text('monitor', 'name');
    const said = body.text('msg') || body.text('heartbeat', 'msg');
    const text = said.includes(name) ? said : line(`[${name}]`, said);
    return {
      lines: [status === UP ? asResolved(text) : text, body.text('monitor', 'description')],
      links: [{ label: 'Open', url: body.text('monitor', 'url') }],
      severity: status === DOWN ? 'critical' : 'info',
    };
  },
  keys: monitorKeys,
};

/**
 * Uses Uptime Kuma's monitor as the key. Other notifications (pending, maintenance, certificates)
 * have none.
 */
function monitorKeys(body: Payload): NativeKeys {
  const status = body.text('heartbeat', 'status');
  if (status !== DOWN && status !== UP) return {};
  return alertKeys(keyOf('kuma', body.text('monitor', 'id')), status === UP);
}
