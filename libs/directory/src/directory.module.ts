import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { ConversationMembersClientController } from './conversations/members/members.client-controller.js';
import { BotMembersController } from './conversations/members/members.controller.js';
import { MembersOfSpaceClientController } from './members/members.client-controller.js';
import { BotUsersController } from './users/users.controller.js';

/** Who is in a space and in a conversation, for people and bots. */
@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [
    BotMembersController,
    ConversationMembersClientController,
    MembersOfSpaceClientController,
    BotUsersController,
  ],
})
export class DirectoryModule {}
