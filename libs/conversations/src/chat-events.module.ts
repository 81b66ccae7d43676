import { Global, Injectable, Module } from '@nestjs/common';
import { PayloadReader } from '@tieline/delivery';
import type { OutboxRecord } from '@tieline/delivery';
import { readPosted } from './messages/posted-message.js';

/** Turns MESSAGE_CREATED as the posting statements store it into its chat event. */
@Injectable()
export class ChatPayloads extends PayloadReader {
  read(stored: OutboxRecord): unknown {
    return stored.type === 'MESSAGE_CREATED' ? readPosted(stored) : stored.payload;
  }
}

/** For workers whose subscribers receive chat events. */
@Global()
@Module({ providers: [{ provide: PayloadReader, useClass: ChatPayloads }], exports: [PayloadReader] })
export class ChatEventsModule {}
