import { Module } from '@nestjs/common';
import { SpaceLimitSettings } from '@tieline/spaces';
import { InviteMember } from '../members/invite-member.js';
import { MessagesModule } from '../messages/messages.module.js';
import { CreateConversation } from './create-conversation.js';
import { UnarchiveChannel } from './update-channel.js';

/** Changes of channels, for the controllers of people and of bots. */
@Module({
  imports: [MessagesModule],
  providers: [CreateConversation, InviteMember, UnarchiveChannel, SpaceLimitSettings],
  exports: [CreateConversation, InviteMember, UnarchiveChannel],
})
export class ChannelsModule {}
