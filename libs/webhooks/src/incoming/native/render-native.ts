import { httpsAddress } from '../formats/fields.js';
import type { LinkButton } from '../formats/link-buttons.js';
import type { NativeLink, NativeMessage } from './native-format.js';

const MAX_BUTTONS = 25;

const MAX_IMAGES = 10;

/** Converts the images of a native message to attachments. */
export function renderImages({ images = [] }: NativeMessage): object[] {
  return images
    .flatMap(({ url, alt }) => {
      const address = httpsAddress(url);
      return address === undefined ? [] : [{ image_url: address, ...(alt !== '' && { fallback: alt }) }];
    })
    .slice(0, MAX_IMAGES);
}

/**
 * Converts lines and links of a native message to text and buttons. HTTP addresses stay in the
 * text, where people see them.
 */
export function renderNative({ lines, links }: NativeMessage): { text: string; buttons: LinkButton[] } {
  const addresses = links.filter(isHttp).map(({ label, url }) => `${label}: ${url}`);
  return {
    text: [...lines, ...new Set(addresses)].filter((line) => line !== '').join('\n'),
    buttons: buttonsOf(links),
  };
}

function buttonsOf(links: readonly NativeLink[]): LinkButton[] {
  const labels = new Map<string, string>();
  for (const { label, url } of links) {
    const address = httpsAddress(url);
    if (address !== undefined && !labels.has(address)) labels.set(address, label);
  }
  return [...labels].slice(0, MAX_BUTTONS).map(([url, text]) => ({ text, url }));
}

function isHttp({ url }: NativeLink): boolean {
  return /^http:\/\/\S+$/i.test(url) && URL.canParse(url);
}
