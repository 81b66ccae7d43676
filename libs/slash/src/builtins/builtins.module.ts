import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { MessagesModule } from '@tieline/conversations';
import { SigningModule } from '@tieline/signing';
import { BuiltinCommands } from './builtin-commands.js';
import type { BuiltinCommand } from './builtin-commands.js';
import { CreatePoll } from './poll/create-poll.js';
import { PollClicksModule } from './poll/poll-clicks.module.js';
import { PollCommand } from './poll/poll-command.js';
import { RemindCommand } from './remind/remind-command.js';

/** The built-in commands in the api: runs them and handles clicks on their messages. */
@Module({ imports: [DatabaseModule, PollClicksModule] })
export class BuiltinsModule {
  /** @param more commands in addition to the product's own */
  static of(more: readonly Type<BuiltinCommand>[]): DynamicModule {
    const commands = [PollCommand, RemindCommand, ...more];
    const collection = {
      provide: BuiltinCommands,
      useFactory: (...all: BuiltinCommand[]) => new BuiltinCommands(all),
      inject: commands,
    };
    return {
      module: BuiltinsModule,
      imports: [MessagesModule, SigningModule],
      providers: [CreatePoll, ...commands, collection],
      exports: [BuiltinCommands],
    };
  }
}
