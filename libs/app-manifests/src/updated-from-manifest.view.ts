import { AppView, appView } from '@tieline/apps';
import { Field, OkAnswer } from '@tieline/platform/http';
import { botPart, CreatedPartView, commandPart, partOf } from './manifest.view.js';
import type { UpdatedFromManifest } from './update-from-manifest.js';

const TYPES = ['app', 'bot', 'command', 'shortcut'] as const;

/** A part of an app that a manifest deletes. */
export class DeletedPartView {
  @Field({ enum: TYPES, example: 'command' })
  type: (typeof TYPES)[number];

  @Field({ example: 'deploy' })
  name: string;
}

/** A part of an app that a manifest changes. */
export class ChangedPartView extends DeletedPartView {
  @Field({
    example: { description: { from: 'Deploys', to: 'Deploys a service' } },
    description: 'fields of the manifest that differ; null stands for an absent one',
  })
  changes: Record<string, { from?: unknown; to?: unknown }>;
}

export class UpdatedFromManifestAnswer extends OkAnswer {
  @Field({ type: AppView, nullable: true, description: 'null in a dry run' })
  app: AppView | null;

  @Field({ type: CreatedPartView, isArray: true, description: 'what is new' })
  created: CreatedPartView[];

  @Field({ type: ChangedPartView, isArray: true, description: 'what is different' })
  changed: ChangedPartView[];

  @Field({ type: DeletedPartView, isArray: true, description: 'what the manifest lacks' })
  deleted: DeletedPartView[];

  @Field({
    example: ['features.app_home has no counterpart and is left out'],
    description: 'parts of the manifest that are left out, and unknown fields of the body',
  })
  warnings: string[];
}

/** In a dry run nothing has an id or a secret. */
export function updatedAnswer(
  { app, bot, commands, shortcuts, differences }: UpdatedFromManifest,
  warnings: string[],
  isDryRun: boolean,
): UpdatedFromManifestAnswer {
  const { changed, deleted } = differences;
  const isNew = (type: string, name: string): boolean =>
    differences.created.some((part) => part.type === type && part.name === name);
  const created = [
    ...(bot?.isNew ? [botPart(bot)] : []),
    ...commands.map(commandPart),
    ...shortcuts
      .filter(({ name }) => isNew('shortcut', name))
      .map(({ name, id }) => partOf('shortcut', name, { id })),
  ];
  const registered = new Set(commands.map(({ command }) => command.name));
  return {
    ok: true,
    app: isDryRun ? null : appView(app),
    created: isDryRun ? created.map(({ type, name }) => ({ type, name })) : created,
    changed: changed.filter(({ type, name }) => type !== 'command' || !registered.has(name)),
    deleted,
    warnings,
  };
}
