import { NestFactory } from '@nestjs/core';
import { OutboxRelay, RelayModule } from '@tieline/delivery';
import { Bus } from '@tieline/live';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { LOGGER, Metrics } from '@tieline/platform/observability';
import { SpacesModule } from '@tieline/spaces';
import { startTestApi } from '@tieline/spaces/testing';
import { ConversationsModule } from '../conversations.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { LOGS } from '../testing/chat-api.js';
import { PORTS, supply } from '../testing/stubs.js';
import { BotDirectory } from './bot-directory.js';
import { EditGuard } from './edit-guard.js';
import { FilesOfPeople } from './files-of-people.js';
import { MessageAttachments } from './message-attachments.js';
import { MessageFeedback } from './message-feedback.js';
import { MetadataVisibility } from './metadata-visibility.js';

const allBut = (port: unknown) => supply(...PORTS.filter(({ provide }) => provide !== port));

test.each([
  ['BotDirectory', BotDirectory],
  ['EditGuard', EditGuard],
  ['FilesOfPeople', FilesOfPeople],
  ['MessageAttachments', MessageAttachments],
  ['MessageFeedback', MessageFeedback],
  ['MetadataVisibility', MetadataVisibility],
])('an api without %s does not start, and names it', async (name, port) => {
  const starting = startTestApi([LOGS, SpacesModule, ConversationsModule, allBut(port)]);
  await expect(starting).rejects.toThrow(new RegExp(`\\b${name}\\b`));
});

test.each([
  ['EditGuard', EditGuard],
  ['MessageFeedback', MessageFeedback],
])('a worker without %s does not start, and names it', async (name, port) => {
  const idle = [Db, Bus, OutboxRelay].map((provide) => ({ provide, useValue: {} }));
  const root = { module: class Worker {}, imports: [MessagesModule, supply(...idle), allBut(port)] };
  const starting = NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  await expect(starting).rejects.toThrow(new RegExp(`\\b${name}\\b`));
});

test('a worker without PayloadReader does not start, and names it', async () => {
  // Its other dependencies never resolve, so no connection is opened.
  const host = supply(
    ...[PlatformSettings, LOGGER, Metrics].map((provide) => ({
      provide,
      useFactory: () => new Promise(() => undefined),
    })),
  );
  const root = { module: class Worker {}, imports: [RelayModule, host] };
  const starting = NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  await expect(starting).rejects.toThrow(/\bPayloadReader\b/);
});
