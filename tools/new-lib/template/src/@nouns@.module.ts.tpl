import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { @Nouns@AdminController } from './@nouns@.admin-controller.js';
import { Create@Noun@ } from './create-@noun-@.js';

/** The admin endpoints of @nouns@. */
@Module({ imports: [DatabaseModule, HttpModule], controllers: [@Nouns@AdminController], providers: [Create@Noun@] })
export class @Nouns@Module {}
