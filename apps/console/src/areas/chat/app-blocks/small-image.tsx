import { Picture } from '../../../ui/media/picture.js';
import { address, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';

/** A small image. Images without a public address are left out. */
export function SmallImage({ image, className }: { image: Fields; className: string | undefined }) {
  const source = address(image.image_url);
  return source === '' ? null : (
    <Picture className={className} src={source} alt={text(image.alt_text)} isSmall />
  );
}
