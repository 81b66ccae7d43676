import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { OutboxRelays } from '@tieline/delivery';
import { Bus } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import { SpacesModule } from '@tieline/spaces';
import { startTestApi } from '@tieline/spaces/testing';
import { ConversationsModule } from '../conversations.module.js';
import { LiveFanoutModule } from '../live/live-fanout.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { LOGS } from '../testing/chat-api.js';
import { PORTS, supply } from '../testing/stubs.js';
import { BotDirectory } from './bot-directory.js';
import { EditGuard } from './edit-guard.js';
import { FeatureLiveSource } from './feature-live-source.js';
import { FilesOfPeople } from './files-of-people.js';
import { MessageAttachments } from './message-attachments.js';
import { MetadataVisibility } from './metadata-visibility.js';

const allBut = (port: unknown) => supply(...PORTS.filter(({ provide }) => provide !== port));

test.each([
  ['BotDirectory', BotDirectory],
  ['EditGuard', EditGuard],
  ['FilesOfPeople', FilesOfPeople],
  ['MessageAttachments', MessageAttachments],
  ['MetadataVisibility', MetadataVisibility],
])('an api without %s does not start, and names it', async (name, port) => {
  const starting = startTestApi([LOGS, SpacesModule, ConversationsModule, allBut(port)]);
  await expect(starting).rejects.toThrow(new RegExp(`\\b${name}\\b`));
});

/** Starts the providers of a worker's modules, without calling them. */
async function startWorker(module: Type, port: unknown): Promise<void> {
  const idle = [Db, Bus, OutboxRelays].map((provide) => ({ provide, useValue: {} }));
  const root = { module: class Worker {}, imports: [module, supply(...idle), allBut(port)] };
  await (await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false })).close();
}

test.each([
  ['FeatureLiveSource', LiveFanoutModule, FeatureLiveSource],
  ['EditGuard', MessagesModule, EditGuard],
] as const)('a worker without %s does not start, and names it', async (name, module, port) => {
  await expect(startWorker(module, port)).rejects.toThrow(new RegExp(`\\b${name}\\b`));
});
