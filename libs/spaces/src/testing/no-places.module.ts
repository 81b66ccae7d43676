import { Global, Module } from '@nestjs/common';
import { badRequest } from '@tieline/platform/http';
import { NoticePlaces } from '../notices/notice-places.js';

class NoPlaces extends NoticePlaces {
  override async require(): Promise<void> {
    throw badRequest('conversation_not_found', 'conversation not found', 'notices_conversation_id');
  }
}

/** Provides `NoticePlaces` for tests without conversations. */
@Global()
@Module({ providers: [{ provide: NoticePlaces, useClass: NoPlaces }], exports: [NoticePlaces] })
export class NoPlacesModule {}
