/** Result of a check. */
export interface Diagnosis {
  readonly check: string;
  /** `fault`: something does not work. `warning`: it works, but with limits or not for long. */
  readonly state: 'ok' | 'warning' | 'fault';
  readonly detail: string;
}

export const ok = (check: string, detail: string): Diagnosis => ({ check, state: 'ok', detail });
export const warning = (check: string, detail: string): Diagnosis => ({ check, state: 'warning', detail });
export const fault = (check: string, detail: string): Diagnosis => ({ check, state: 'fault', detail });

const SIGNATURES_SECONDS = 300;

/**
 * Reports the difference between the local clock and the server's. Signatures are refused beyond
 * 300 seconds.
 */
export function clockDiagnosis(serverDate: string | null, now: number): Diagnosis {
  const server = Date.parse(serverDate ?? '');
  if (Number.isNaN(server)) return warning('clock', 'the server tells no time');
  const seconds = Math.round((now - server) / 1000);
  const words = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the server`;
  if (Math.abs(seconds) > SIGNATURES_SECONDS)
    return fault('clock', `${words}: signatures will be refused; set the clock by NTP`);
  return Math.abs(seconds) > 5 ? warning('clock', words) : ok('clock', 'agrees with the server');
}

/** Reports whether this Node.js is recent enough. */
export function nodeDiagnosis(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > 20 || (major === 20 && minor >= 19);
  return isNewEnough ? ok('node', version) : fault('node', `${version}, but 20.19 is the oldest that works`);
}

/** Reports whether program and server have the same version. */
export function versionDiagnosis(own: string, server: string): Diagnosis {
  return own === server
    ? ok('versions', `both are ${own}`)
    : warning('versions', `this program is ${own}, the server ${server}`);
}
