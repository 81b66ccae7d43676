/** Largest metadata of a message, in bytes of its JSON (contract, Limits). */
export const MAX_METADATA_BYTES = 32 * 1024;

type Fields = Record<string, unknown>;

/**
 * What may go first when not all fits. An attachment's other fields follow in the order in which
 * they were read.
 */
const ATTACHMENT_ORDER = [
  'color',
  'title',
  'title_link',
  'text',
  'pretext',
  'author_name',
  'footer',
  'ts',
  'fields',
  'blocks',
];

/** The room that is left, in bytes. */
class Room {
  constructor(private left: number) {}

  take(value: unknown): boolean {
    // The comma or colon between two values.
    const size = Buffer.byteLength(JSON.stringify(value)) + 1;
    if (size > this.left) return false;
    this.left -= size;
    return true;
  }
}

/**
 * Metadata of at most 32 KiB of JSON; a body may be eight times as large. Severity and small parts
 * come first, then the others in order while there is room, and of a large attachment or block as
 * much as fits. What was left out is noted.
 */
export function fitting(metadata: Fields, note: (what: string) => void): Fields {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes <= MAX_METADATA_BYTES) return metadata;
  note(`cut at ${MAX_METADATA_BYTES} of ${bytes} bytes`);
  const { attachments, blocks, buttons, files, ...small } = metadata as Record<string, Fields[] | undefined>;
  const room = new Room(MAX_METADATA_BYTES - 2);
  const lists = { attachments: [], blocks: [], buttons: [], files: [] };
  room.take({ ...small, ...lists });
  const kept = {
    buttons: (buttons ?? []).filter((button) => room.take(button)),
    blocks: (blocks ?? []).flatMap((block) => fittingBlock(block, room)),
    attachments: (attachments ?? []).flatMap((attachment) => fittingAttachment(attachment, room)),
    files: (files ?? []).filter((file) => room.take(file)),
  };
  return { ...small, ...Object.fromEntries(Object.entries(kept).filter(([, list]) => list.length > 0)) };
}

function fittingBlock(block: Fields, room: Room): Fields[] {
  if (room.take(block)) return [block];
  const { fields, elements, ...head } = block as { fields?: unknown[]; elements?: unknown[] };
  const list = fields ?? elements;
  if (!list || !room.take({ ...head, elements: [] })) return [];
  const kept = list.filter((item) => room.take(item));
  const name = fields ? 'fields' : 'elements';
  return kept.length > 0 ? [{ ...head, [name]: kept }] : Object.hasOwn(head, 'text') ? [head] : [];
}

function fittingAttachment(attachment: Fields, room: Room): Fields[] {
  if (room.take(attachment)) return [attachment];
  if (!room.take({})) return [];
  const names = [...ATTACHMENT_ORDER, ...Object.keys(attachment)];
  const kept: Fields = {};
  for (const name of new Set(names.filter((known) => Object.hasOwn(attachment, known)))) {
    const value = fittingPart(name, attachment[name], room);
    if (value !== undefined) kept[name] = value;
  }
  const { color: _color, ts: _ts, ...shown } = kept;
  return Object.keys(shown).length > 0 ? [kept] : [];
}

function fittingPart(name: string, value: unknown, room: Room): unknown {
  if (!Array.isArray(value)) return room.take({ [name]: value }) ? value : undefined;
  if (!room.take({ [name]: [] })) return undefined;
  const kept =
    name === 'blocks'
      ? value.flatMap((block: Fields) => fittingBlock(block, room))
      : value.filter((item) => room.take(item));
  return kept.length > 0 ? kept : undefined;
}
