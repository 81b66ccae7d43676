import { Module } from '@nestjs/common';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { NoticePlaces } from '@tieline/spaces';
import { MemberDirectory } from '../members/member-directory.js';
import { CreateMessage } from '../messages/create-message.js';
import { DeleteMessage } from '../messages/delete-message.js';
import { EditMessage } from '../messages/edit-message.js';
import { BotDirectory } from '../ports/bot-directory.js';
import { EditGuard } from '../ports/edit-guard.js';
import { FeatureLiveSource } from '../ports/feature-live-source.js';
import { FilesOfPeople } from '../ports/files-of-people.js';
import { MessageAttachments } from '../ports/message-attachments.js';
import { MetadataVisibility } from '../ports/metadata-visibility.js';

type Part = Type | DynamicModule;

/** No bots. */
export const NO_BOTS: BotDirectory = { findActive: async () => [] };
const UNGUARDED: EditGuard = { isGuarded: async () => false };
const NO_FILES: MessageAttachments = { of: async () => new Map(), drop: async () => undefined };
const NOTHING_TO_SEND: FilesOfPeople = {
  prepare: async () => async () => ({ records: [], status: 'attached' }),
};
const ALL_VISIBLE: MetadataVisibility = { of: (metadataJson) => () => metadataJson };
const ANYWHERE: NoticePlaces = { require: async () => undefined };
const NOTHING_MORE: FeatureLiveSource = { toLive: () => undefined };

/** Every port of the chat core, and the one that it supplies, with a stand-in. */
export const PORTS = [
  { provide: BotDirectory, useValue: NO_BOTS },
  { provide: EditGuard, useValue: UNGUARDED },
  { provide: MessageAttachments, useValue: NO_FILES },
  { provide: FilesOfPeople, useValue: NOTHING_TO_SEND },
  { provide: MetadataVisibility, useValue: ALL_VISIBLE },
  { provide: FeatureLiveSource, useValue: NOTHING_MORE },
  { provide: NoticePlaces, useValue: ANYWHERE },
];

@Module({})
class StandInsModule {}

/** A module that supplies ports of the chat core to every other one. */
export function supply(...providers: Exclude<Provider, Type>[]): DynamicModule {
  return {
    module: StandInsModule,
    global: true,
    providers,
    exports: providers.map(({ provide }) => provide),
  };
}

/**
 * Adds what the chat core needs of libs that are not among the modules: as if there were no bots,
 * no files, no runs and no buttons.
 */
export function withStandIns(modules: readonly Part[]): Part[] {
  const supplied = new Set(modules.flatMap(exportsOf));
  return [...modules, supply(...PORTS.filter(({ provide }) => !supplied.has(provide)))];
}

/** Everything that a module and those that it imports export. */
function exportsOf(part: Part): unknown[] {
  const module = 'module' in part ? part.module : part;
  const declared = (key: 'imports' | 'exports'): unknown[] => [
    ...((Reflect.getMetadata(key, module) as unknown[] | undefined) ?? []),
    ...(('module' in part ? part[key] : undefined) ?? []),
  ];
  return [...declared('exports'), ...(declared('imports') as Part[]).flatMap(exportsOf)];
}

/**
 * The writes of messages with stand-ins for everything that lies above the chat core, for tests
 * without modules.
 */
export const members = new MemberDirectory(NO_BOTS);
export const createMessage = new CreateMessage(members);
export const editMessage = new EditMessage(members, NO_FILES, UNGUARDED);
export const deleteMessage = new DeleteMessage(NO_FILES, UNGUARDED);
