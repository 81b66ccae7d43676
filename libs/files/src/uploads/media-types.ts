/** The kinds of files. */
export const FILE_TYPES = ['image', 'audio', 'video', 'document'] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** The media type of unknown bytes. */
export const GENERIC_TYPE = 'application/octet-stream';

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
const FAMILIES = new Set(['image', 'audio', 'video', 'text']);
/** Prefixes of OOXML and ODF types. */
const OFFICE = ['application/vnd.openxmlformats-officedocument.', 'application/vnd.oasis.opendocument.'];
/** OOXML with macros: `vnd.ms-excel.sheet.macroEnabled.12`. */
const OFFICE_WITH_MACROS = /^application\/vnd\.ms-(?:word|excel|powerpoint)\.[a-z.]+\.macroenabled\.12$/;
const SINGLE = new Set([
  'application/pdf',
  'application/json',
  'application/xml',
  'application/zip',
  'application/x-zip-compressed',
  'application/gzip',
  'application/x-gzip',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  GENERIC_TYPE,
]);

/**
 * Returns a MIME type in lower case without parameters, in which types are compared; undefined if
 * it is malformed.
 */
export function essenceOf(mimeType: string): string | undefined {
  const essence = (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return MEDIA_TYPE.test(essence) ? essence : undefined;
}

/**
 * Returns whether files of this type may be uploaded (docs/files.md#types-and-sizes).
 * @param essence see {@link essenceOf}
 */
export function isAllowedType(essence: string): boolean {
  return (
    FAMILIES.has(essence.split('/', 1)[0] ?? '') ||
    SINGLE.has(essence) ||
    OFFICE.some((prefix) => essence.startsWith(prefix)) ||
    OFFICE_WITH_MACROS.test(essence)
  );
}

/** Returns the kind of a file by its type. */
export function fileTypeOf(essence: string): FileType {
  const [family] = essence.split('/', 1);
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document';
}
