import type { AuditEntryView } from '@tieline/sdk/api';

/** What stands in the address of the audit log. */
export interface AuditSearch {
  /** Id of a person or bot, or `operator`, `system`. */
  who?: string;
  /** The first part of an action: `bot` of `bot.created`. */
  area?: string;
  text?: string;
}

/** Reads an address that anybody may have typed. */
export function auditSearch(given: Record<string, unknown>): AuditSearch {
  const read = (['who', 'area', 'text'] as const).map((key) => [key, given[key]] as const);
  return Object.fromEntries(read.filter(([, value]) => typeof value === 'string' && value !== ''));
}

/** Whom an entry counts for in the filter. */
export const actorKey = ({ actor_id: id, actor_type: type }: AuditEntryView): string => id ?? type;

/** The entries that all filters let through. @param nameOf names of ids, which the text is looked for in too */
export function filterEntries(
  entries: readonly AuditEntryView[],
  { who, area, text }: AuditSearch,
  nameOf: (id: string) => string,
): AuditEntryView[] {
  const wanted = text?.trim().toLocaleLowerCase() ?? '';
  return entries.filter((entry) => {
    if (who && actorKey(entry) !== who) return false;
    if (area && entry.action.split('.')[0] !== area) return false;
    const words = [entry.action, nameOf(actorKey(entry)), nameOf(entry.object_id), entry.ip ?? ''];
    return words.join(' ').toLocaleLowerCase().includes(wanted);
  });
}
