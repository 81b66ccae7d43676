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

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';
/** Types of common files, by the end of their name. */
const TYPES_OF_NAMES: ReadonlyMap<string, string> = new Map([
  ...['c', 'cfg', 'conf', 'cpp', 'css', 'diff', 'go', 'h', 'html', 'ini', 'java', 'js', 'log'].map(plainText),
  ...['patch', 'php', 'py', 'rb', 'rs', 'sh', 'sql', 'toml', 'ts', 'txt', 'yaml', 'yml'].map(plainText),
  ['csv', 'text/csv'],
  ['md', 'text/markdown'],
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
  ['gz', 'application/gzip'],
  ['doc', 'application/msword'],
  ['xls', 'application/vnd.ms-excel'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['docx', `${OOXML}.wordprocessingml.document`],
  ['xlsx', `${OOXML}.spreadsheetml.sheet`],
  ['pptx', `${OOXML}.presentationml.presentation`],
  ['odt', `${ODF}.text`],
  ['ods', `${ODF}.spreadsheet`],
  ['odp', `${ODF}.presentation`],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['svg', 'image/svg+xml'],
  ['mp3', 'audio/mpeg'],
  ['ogg', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['m4a', 'audio/mp4'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
]);

function plainText(end: string): [string, string] {
  return [end, 'text/plain'];
}

/**
 * Returns the type of a file by its name, or the generic type, which is replaced when the bytes are
 * there.
 */
export function typeOfName(fileName: string): string {
  const end = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return TYPES_OF_NAMES.get(end) ?? GENERIC_TYPE;
}
