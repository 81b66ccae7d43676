import { changesBetween } from '@tieline/spaces';
import type { ManifestView } from './manifest.view.js';

/** Parts of an app that a manifest describes. */
export type PartType = 'app' | 'bot' | 'command' | 'shortcut';

/** A part of an app in a manifest. */
interface Part {
  type: PartType;
  /** What identifies it among the parts of its type. */
  key: string;
  name: string;
  fields: Readonly<Record<string, unknown>>;
}

/** A part that only one of two manifests has. */
export interface PartName {
  type: PartType;
  name: string;
}

/** A part that differs, with its fields that do. */
export interface ChangedPart extends PartName {
  changes: ReturnType<typeof changesBetween>;
}

/** What leads from one manifest to another. */
export interface ManifestDifferences {
  created: PartName[];
  changed: ChangedPart[];
  deleted: PartName[];
}

/** Compares two exported manifests of an app. */
export function differencesBetween(before: ManifestView, after: ManifestView): ManifestDifferences {
  const [old, now] = [partsOf(before), partsOf(after)];
  const counterpart = (parts: readonly Part[], { type, key }: Part): Part | undefined =>
    parts.find((part) => part.type === type && part.key === key);
  const changed = now.flatMap((part) => {
    const previous = counterpart(old, part);
    const changes = previous ? changesOf(previous.fields, part.fields) : {};
    return Object.keys(changes).length > 0 ? [{ ...nameOf(part), changes }] : [];
  });
  return {
    created: now.filter((part) => !counterpart(old, part)).map(nameOf),
    changed,
    deleted: old.filter((part) => !counterpart(now, part)).map(nameOf),
  };
}

function partsOf({ bot, commands = [], shortcuts = [], ...app }: ManifestView): Part[] {
  return [
    { type: 'app', key: '', name: app.name, fields: { ...app } },
    ...(bot ? [{ type: 'bot' as const, key: '', name: bot.display_name, fields: { ...bot } }] : []),
    ...(commands as CommandView[]).map((fields) => ({
      ...{ type: 'command' as const, key: fields.name, name: fields.name, fields },
    })),
    ...(shortcuts as ShortcutView[]).map((fields) => ({
      ...{ type: 'shortcut' as const, key: fields.callback_id, name: fields.name, fields },
    })),
  ];
}

type CommandView = { name: string } & Record<string, unknown>;
type ShortcutView = { callback_id: string; name: string } & Record<string, unknown>;

/** Fields that only the old part has become null. */
function changesOf(before: Part['fields'], after: Part['fields']): ReturnType<typeof changesBetween> {
  const gone = Object.keys(before).map((field) => [field, null]);
  return changesBetween(before, { ...(Object.fromEntries(gone) as Part['fields']), ...after });
}

const nameOf = ({ type, name }: Part): PartName => ({ type, name });
