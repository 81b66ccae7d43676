/** Maximum size of a message's metadata, in bytes of JSON. */
const MAX_METADATA_BYTES = 32 * 1024;

type Fields = Record<string, unknown>;

/**
 * Attachment fields to keep first when not all fit. Other fields follow in the order they were
 * read.
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

/** Counts down the bytes that are left. */
class ByteBudget {
  constructor(private left: number) {}

  take(value: unknown): boolean {
    // One byte for the comma or colon.
    const size = Buffer.byteLength(JSON.stringify(value)) + 1;
    if (size > this.left) return false;
    this.left -= size;
    return true;
  }
}

/**
 * Cuts metadata to 32 KiB of JSON (a request body may be 256 KB). Keeps severity and other small
 * fields, then buttons, blocks, attachments and files in that order while they fit. Keeps as much
 * of a large block or attachment as fits. Calls `note` if anything is left out.
 */
export function fitToLimit(metadata: Fields, note: (what: string) => void): Fields {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes <= MAX_METADATA_BYTES) return metadata;
  note(`cut at ${MAX_METADATA_BYTES} of ${bytes} bytes`);
  const { attachments, blocks, buttons, files, ...small } = metadata as Record<string, Fields[] | undefined>;
  const budget = new ByteBudget(MAX_METADATA_BYTES - 2);
  const lists = { attachments: [], blocks: [], buttons: [], files: [] };
  budget.take({ ...small, ...lists });
  const kept = {
    buttons: (buttons ?? []).filter((button) => budget.take(button)),
    blocks: (blocks ?? []).flatMap((block) => fitBlock(block, budget)),
    attachments: (attachments ?? []).flatMap((attachment) => fitAttachment(attachment, budget)),
    files: (files ?? []).filter((file) => budget.take(file)),
  };
  return { ...small, ...Object.fromEntries(Object.entries(kept).filter(([, list]) => list.length > 0)) };
}

function fitBlock(block: Fields, budget: ByteBudget): Fields[] {
  if (budget.take(block)) return [block];
  const { fields, elements, ...head } = block as { fields?: unknown[]; elements?: unknown[] };
  const list = fields ?? elements;
  if (!list || !budget.take({ ...head, elements: [] })) return [];
  const kept = list.filter((item) => budget.take(item));
  const name = fields ? 'fields' : 'elements';
  return kept.length > 0 ? [{ ...head, [name]: kept }] : Object.hasOwn(head, 'text') ? [head] : [];
}

function fitAttachment(attachment: Fields, budget: ByteBudget): Fields[] {
  if (budget.take(attachment)) return [attachment];
  if (!budget.take({})) return [];
  const names = [...ATTACHMENT_ORDER, ...Object.keys(attachment)];
  const kept: Fields = {};
  for (const name of new Set(names.filter((known) => Object.hasOwn(attachment, known)))) {
    const value = fitPart(name, attachment[name], budget);
    if (value !== undefined) kept[name] = value;
  }
  const { color: _color, ts: _ts, ...shown } = kept;
  return Object.keys(shown).length > 0 ? [kept] : [];
}

function fitPart(name: string, value: unknown, budget: ByteBudget): unknown {
  if (!Array.isArray(value)) return budget.take({ [name]: value }) ? value : undefined;
  if (!budget.take({ [name]: [] })) return undefined;
  const kept =
    name === 'blocks'
      ? value.flatMap((block: Fields) => fitBlock(block, budget))
      : value.filter((item) => budget.take(item));
  return kept.length > 0 ? kept : undefined;
}
