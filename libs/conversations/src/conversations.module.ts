import { Module } from '@nestjs/common';

/** Conversations, members, messages, reactions and history over HTTP. */
@Module({})
export class ConversationsModule {}
