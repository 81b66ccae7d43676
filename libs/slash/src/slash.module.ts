import { Module } from '@nestjs/common';
import { CallbacksModule } from '@tieline/platform/callbacks';
import './builtins/poll/poll-command.js';
import './builtins/remind/remind-command.js';
import { CommandInvoker } from './command-invoker.js';
import './command-secret.js';
import { SlashCommandsClientController } from './slash-commands.client-controller.js';
import { SlashCommandsController } from './slash-commands.controller.js';

/** Slash commands: what bots register, and what people type. */
@Module({
  imports: [CallbacksModule],
  controllers: [SlashCommandsController, SlashCommandsClientController],
  providers: [CommandInvoker],
})
export class SlashModule {}
