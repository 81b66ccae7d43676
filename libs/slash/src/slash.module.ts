import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { SigningModule } from '@tieline/signing';
import { RateLimitModule } from '@tieline/rate-limit';
import { BusModule } from '@tieline/live';
import { DatabaseModule } from '@tieline/platform/database';
import { MessagesModule, RatesModule } from '@tieline/conversations';
import { LiveEvents } from '@tieline/live-stream';
import type { DynamicModule, Type } from '@nestjs/common';
import { AskBotModule } from '@tieline/ask-bot';
import { EgressModule } from '@tieline/egress';
import {
  ChoicesModule,
  CommandModalsModule,
  ComponentSigningModule,
  ResponseTokensModule,
} from '@tieline/interactive';
import { SlashMetrics } from './slash.metrics.js';
import { SlashSettings } from './slash.settings.js';
import type { BuiltinCommand } from './builtins/builtin-commands.js';
import { BuiltinsModule } from './builtins/builtins.module.js';
import { RotateCommandSecret } from './commands/callbacks/rotate-command-secret.js';
import { CommandCallbacksModule } from './commands/callbacks/command-callbacks.module.js';
import { RegisterCommand } from './commands/register-command.js';
import { UpdateCommand } from './commands/update-command.js';
import { SlashCommandsAdminController } from './commands/slash-commands.admin-controller.js';
import { SlashCommandsClientController } from './commands/slash-commands.client-controller.js';
import { SlashCommandsController } from './commands/slash-commands.controller.js';
import { AcknowledgedCommands } from './commands/invocations/acknowledged-commands.js';
import { CommandAnswers } from './commands/invocations/command-answers.js';
import { CommandAsker } from './commands/invocations/command-asker.js';
import { CommandInvoker } from './commands/invocations/command-invoker.js';
import { ChoiceSuggester } from './commands/options/choice-suggester.js';
import { ConversationCommandsClientController } from './commands/invocations/conversation-commands.client-controller.js';
import { IssueTrigger } from './triggers/issue-trigger.js';

/** Slash commands: registration by bots and invocation by people. */
@Module({
  imports: [
    DatabaseModule,
    BusModule,
    RateLimitModule,
    RatesModule,
    SigningModule,
    EgressModule,
    HttpModule,
    MessagesModule,
    AskBotModule,
    ResponseTokensModule,
    ChoicesModule,
    ComponentSigningModule,
    CommandModalsModule,
    CommandCallbacksModule,
  ],
  controllers: [SlashCommandsController, SlashCommandsClientController, ConversationCommandsClientController],
  providers: [
    AcknowledgedCommands,
    CommandAnswers,
    CommandAsker,
    CommandInvoker,
    LiveEvents,
    ChoiceSuggester,
    IssueTrigger,
    RegisterCommand,
    RotateCommandSecret,
    UpdateCommand,
    SlashMetrics,
    SlashSettings,
  ],
})
export class SlashModule {
  /** @param more built-in commands in addition to the product's own */
  static of(more: readonly Type<BuiltinCommand>[] = []): DynamicModule {
    return { module: SlashModule, imports: [BuiltinsModule.of(more)] };
  }
}

/** Admin endpoints of this lib; mounted by `@tieline/admin`. */
@Module({ imports: [DatabaseModule, HttpModule], controllers: [SlashCommandsAdminController] })
export class SlashAdminModule {}
