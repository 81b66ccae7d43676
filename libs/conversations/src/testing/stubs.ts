import { Module } from '@nestjs/common';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { NoticePlaces } from '@tieline/spaces';
import { MemberDirectory } from '../members/member-directory.js';
import { CreateMessage } from '../messages/create-message.js';
import { DeleteMessage } from '../messages/delete-message.js';
import { EditMessage } from '../messages/edit-message.js';
import { BotDirectory } from '../ports/bot-directory.js';
import { DmOpenings } from '../ports/dm-openings.js';
import { EditGuard } from '../ports/edit-guard.js';
import { FilesOfPeople } from '../ports/files-of-people.js';
import { MessageAttachments } from '../ports/message-attachments.js';
import { MessageFeedback } from '../ports/message-feedback.js';
import { MetadataVisibility } from '../ports/metadata-visibility.js';

type Part = Type | DynamicModule;
type Stub = Exclude<Provider, Type>;

/** No bots. */
const NO_BOTS: BotDirectory = { findActive: async () => [] };
const UNGUARDED: EditGuard = { isGuarded: async () => false };
const NO_FILES: MessageAttachments = { of: async () => new Map(), drop: async () => undefined };
const NOTHING_TO_SEND: FilesOfPeople = {
  prepare: async () => async () => ({ records: [], status: 'attached' }),
};
const ALL_VISIBLE: MetadataVisibility = { of: (metadataJson) => () => metadataJson };
const TELL_NOBODY: DmOpenings = { announce: async () => undefined };
const NO_FEEDBACK: MessageFeedback = { of: async () => new Map(), drop: async () => undefined };
const ANYWHERE: NoticePlaces = { require: async () => undefined };

/** Stubs for every port of the chat core, and for the one it provides. */
export const PORTS = [
  { provide: BotDirectory, useValue: NO_BOTS },
  { provide: DmOpenings, useValue: TELL_NOBODY },
  { provide: EditGuard, useValue: UNGUARDED },
  { provide: MessageAttachments, useValue: NO_FILES },
  { provide: FilesOfPeople, useValue: NOTHING_TO_SEND },
  { provide: MessageFeedback, useValue: NO_FEEDBACK },
  { provide: MetadataVisibility, useValue: ALL_VISIBLE },
  { provide: NoticePlaces, useValue: ANYWHERE },
];

@Module({})
class StubsModule {}

/** Creates a module that provides ports of the chat core to all other modules. */
export function supply(...providers: Stub[]): DynamicModule {
  return {
    module: StubsModule,
    global: true,
    providers,
    exports: providers.map(({ provide }) => provide),
  };
}

/**
 * Adds stubs for the ports that the given modules do not provide: no bots, no files, no runs and no
 * buttons. `more` are stubs for ports of other libs.
 */
export function withStubs(modules: readonly Part[], more: readonly Stub[] = []): Part[] {
  const supplied = new Set(modules.flatMap(exportsOf));
  return [...modules, supply(...[...PORTS, ...more].filter(({ provide }) => !supplied.has(provide)))];
}

/** Returns everything that a module and its imports export. */
function exportsOf(part: Part): unknown[] {
  const module = 'module' in part ? part.module : part;
  const declared = (key: 'imports' | 'exports'): unknown[] => [
    ...((Reflect.getMetadata(key, module) as unknown[] | undefined) ?? []),
    ...(('module' in part ? part[key] : undefined) ?? []),
  ];
  return [...declared('exports'), ...(declared('imports') as Part[]).flatMap(exportsOf)];
}

/** Message writers with stubs for all ports, for tests without modules. */
const members = new MemberDirectory(NO_BOTS);
export const createMessage = new CreateMessage(members);
export const editMessage = new EditMessage(members, NO_FILES, UNGUARDED);
export const deleteMessage = new DeleteMessage(NO_FILES, UNGUARDED, NO_FEEDBACK);
