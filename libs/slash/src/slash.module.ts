import { Module } from '@nestjs/common';
import { CallbacksModule } from '@tieline/egress';
import './builtins/poll/poll-command.js';
import './builtins/remind/remind-command.js';
import { CommandInvoker } from './invocations/command-invoker.js';
import './commands/command-secret.js';
import { SlashCommandsClientController } from './invocations/slash-commands.client-controller.js';
import { SlashCommandsController } from './commands/slash-commands.controller.js';

/** Slash commands: what bots register, and what people type. */
@Module({
  imports: [CallbacksModule],
  controllers: [SlashCommandsController, SlashCommandsClientController],
  providers: [CommandInvoker],
})
export class SlashModule {}
