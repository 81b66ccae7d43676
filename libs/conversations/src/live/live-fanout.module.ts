import { Module } from '@nestjs/common';
import { LiveFanout } from './live-fanout.js';

/** The live part of a worker: hands committed events on to the streams of all api processes. */
@Module({ providers: [LiveFanout] })
export class LiveFanoutModule {}
