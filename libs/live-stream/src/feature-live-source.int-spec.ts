import { NestFactory } from '@nestjs/core';
import { supply } from '@tieline/conversations/testing';
import { OutboxRelay } from '@tieline/delivery';
import { Bus } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import { LiveFanoutModule } from './live-fanout.module.js';

test('a worker without FeatureLiveSource does not start, and names it', async () => {
  const idle = [Db, Bus, OutboxRelay].map((provide) => ({ provide, useValue: {} }));
  const root = { module: class Worker {}, imports: [LiveFanoutModule, supply(...idle)] };
  const starting = NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  await expect(starting).rejects.toThrow(/\bFeatureLiveSource\b/);
});
