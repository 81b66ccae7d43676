import {
  inRange,
  isCloudService,
  isGlobalUnicast,
  parseAddress,
  parseRange,
  type Address,
  type AddressRange,
} from './address-ranges.js';
import { dnsResolver, type ResolveHost } from './resolve-host.js';

/** Why a URL is refused; `address` also means a name that resolves to a forbidden address. */
export type EgressRefusal = 'invalid_url' | 'white_space' | 'port' | 'scheme' | 'userinfo' | 'address';

/** The result for a URL: allowed, with its WHATWG parse, or refused with the reason. */
export type EgressVerdict =
  { readonly allowed: true; readonly url: URL } | { readonly allowed: false; readonly reason: EgressRefusal };

/** The operator's settings for outgoing requests. */
export interface EgressPolicyOptions {
  /** Whether `http:` targets are allowed besides `https:`. */
  readonly allowHttp: boolean;
  /** Allowed ranges that are not public, such as `10.1.0.0/16` or `fd00::/8`. */
  readonly allowedCidrs: readonly string[];
  /** Name resolution; DNS by default. */
  readonly resolve?: ResolveHost;
}

/** Thrown by name resolution when an address is refused; its text contains no address. */
export class AddressNotAllowedError extends Error {
  readonly code = 'EGRESS_ADDRESS_NOT_ALLOWED';

  constructor() {
    super('address not allowed');
    this.name = 'AddressNotAllowedError';
  }
}

const LOOPBACKS = ['127.0.0.1', '::1'];
const MAX_PORT = 65_535;
/** Any white space, and the control characters that a parser drops. */
const WHITE_SPACE = /[\s\u0000-\u001f\u007f]/;
const WITH_SLASHES = /^[a-z][a-z0-9+.-]*:\/\//i;
const LOCALHOST = /^(?:.*\.)?localhost\.*$/i;

/**
 * Decides where outgoing requests may go: docs/security.md. The same rules check a URL at
 * registration and the actual address at every connection, because a name can resolve differently
 * later.
 */
export class EgressPolicy {
  private readonly allowHttp: boolean;
  private readonly allowedRanges: readonly AddressRange[];
  private readonly resolveHost: ResolveHost;

  /** @throws RangeError when an allowed range cannot be read. */
  constructor({ allowHttp, allowedCidrs, resolve = dnsResolver() }: EgressPolicyOptions) {
    this.allowHttp = allowHttp;
    this.allowedRanges = allowedCidrs.map(parseRange);
    this.resolveHost = resolve;
  }

  /**
   * Checks everything about a URL that needs no name resolution: syntax, scheme, userinfo, IP
   * literals, localhost names.
   */
  checkUrl(text: string): EgressVerdict {
    if (!URL.canParse(text))
      return { allowed: false, reason: hasUnusablePort(text) ? 'port' : 'invalid_url' };
    const url = new URL(text);
    if (url.protocol !== 'https:' && !(this.allowHttp && url.protocol === 'http:'))
      return { allowed: false, reason: 'scheme' };
    // A bare `@` disappears in the parsed URL, but is refused in a webhook address too.
    if (url.username !== '' || url.password !== '' || hasUserinfo(text))
      return { allowed: false, reason: 'userinfo' };
    if (url.port === '0') return { allowed: false, reason: 'port' };
    if (!this.hostAllowed(url.hostname)) return { allowed: false, reason: 'address' };
    return { allowed: true, url };
  }

  /**
   * Like {@link checkUrl}, with name resolution, for registration. Any forbidden address refuses
   * the URL. A name that does not resolve is accepted, because it is checked again at every
   * connection. Texts that only a tolerant parser accepts are refused, so that the stored and
   * displayed text is the address that is used.
   */
  async checkUrlResolved(text: string): Promise<EgressVerdict> {
    if (WHITE_SPACE.test(text)) return { allowed: false, reason: 'white_space' };
    if (URL.canParse(text) && !WITH_SLASHES.test(text)) return { allowed: false, reason: 'invalid_url' };
    const verdict = this.checkUrl(text);
    if (!verdict.allowed || parseAddress(verdict.url.hostname)) return verdict;
    try {
      await this.resolve(verdict.url.hostname);
    } catch (error) {
      if (error instanceof AddressNotAllowedError) return { allowed: false, reason: 'address' };
    }
    return verdict;
  }

  /** Returns whether a connection to this IP address is allowed; false for other texts. */
  addressAllowed(address: string): boolean {
    const parsed = parseAddress(address);
    return parsed !== undefined && this.parsedAddressAllowed(parsed);
  }

  /**
   * Returns the addresses to connect to for a host name: one resolution, with all answers allowed.
   * Localhost names lead to the allowed loopback addresses without any resolution.
   * @throws AddressNotAllowedError when any answer is refused; the resolver's own error when there
   * is no answer
   */
  async resolve(hostname: string): Promise<string[]> {
    if (LOCALHOST.test(hostname)) {
      const loopbacks = this.allowedLoopbacks();
      if (loopbacks.length === 0) throw new AddressNotAllowedError();
      return loopbacks;
    }
    const addresses = await this.resolveHost(hostname);
    if (addresses.length === 0) throw Object.assign(new Error('host name not found'), { code: 'ENOTFOUND' });
    if (!addresses.every((address) => this.addressAllowed(address))) throw new AddressNotAllowedError();
    return addresses;
  }

  private hostAllowed(hostname: string): boolean {
    const address = parseAddress(hostname);
    if (address) return this.parsedAddressAllowed(address);
    return !LOCALHOST.test(hostname) || this.allowedLoopbacks().length > 0;
  }

  private allowedLoopbacks(): string[] {
    return LOOPBACKS.filter((address) => this.addressAllowed(address));
  }

  private parsedAddressAllowed(address: Address): boolean {
    if (isCloudService(address)) return false;
    return isGlobalUnicast(address) || this.allowedRanges.some((range) => inRange(address, range));
  }
}

/**
 * The policy for addresses that people choose, such as the push services of their browsers: public
 * and HTTPS, whatever the operator has allowed for receivers.
 */
export class PublicEgressPolicy extends EgressPolicy {
  constructor(options: Pick<EgressPolicyOptions, 'resolve'> = {}) {
    super({ ...options, allowHttp: false, allowedCidrs: [] });
  }
}

function hasUserinfo(text: string): boolean {
  return authorityOf(text).includes('@');
}

/** Returns whether the text is a URL except for its port. */
function hasUnusablePort(text: string): boolean {
  const [, port] = /:(\d+)$/.exec(authorityOf(text)) ?? [];
  return port !== undefined && Number(port) > MAX_PORT && URL.canParse(text.replace(`:${port}`, ''));
}

function authorityOf(text: string): string {
  // The parser ignores tabs and line ends, and accepts backslashes and any number of slashes after
  // the scheme.
  return /^[^:]*:[/\\]*([^/\\?#]*)/.exec(text.replace(/[\t\n\r]/g, '').trim())?.[1] ?? '';
}
