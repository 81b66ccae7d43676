import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsTime } from '@tieline/delivery';
import { badRequest, BodyExample, bodyReader, invalidField, IsUuid, PageQuery } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import { IsOptional } from 'class-validator';
import { parseNewMessage } from '../../dto/message-body.js';
import type { NewBotMessage } from '../../dto/message-body.js';
import { SendBotMessageDto } from '../../dto/message.dto.js';

const DAY_MS = 86_400_000;
/** As in Slack. */
const MAX_AHEAD_DAYS = 120;

const inPast = (): ApiError => badRequest('time_in_past', 'post_at must be in the future', 'post_at');
const tooFar = (): ApiError =>
  badRequest('time_too_far', `post_at must be within ${MAX_AHEAD_DAYS} days`, 'post_at');

/** Body of POST /bot/scheduled_messages. */
@BodyExample('a reminder', {
  conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001',
  content: 'Standup in five minutes',
  post_at: '2099-01-31T08:55:00Z',
})
export class ScheduleMessageDto extends OmitType(SendBotMessageDto, ['attachments', 'thread_id'] as const) {
  @IsTime('when to post it, at most 120 days ahead', { required: true })
  post_at: Date;
}

/** The part of the body that a message to send does not have. */
class PostAtDto {
  @IsTime('', { required: true })
  post_at: Date;
}

const readTime = bodyReader(PostAtDto);

/** A validated message to post later. */
export interface NewScheduledMessage {
  message: NewBotMessage;
  postAt: Date;
}

/**
 * Parses the body by the rules of POST /bot/messages.
 * @throws 400, also for a time in the past or too far ahead, and for files, which would be deleted
 * before they are attached
 */
export function parseScheduledMessage(input: unknown, now = Date.now()): NewScheduledMessage {
  const message = parseNewMessage(input);
  if (message.fileIds.length > 0)
    throw invalidField('attachments', 'attachments are not supported in scheduled messages');
  const { post_at: postAt } = readTime(input);
  if (postAt.getTime() <= now) throw inPast();
  if (postAt.getTime() > now + MAX_AHEAD_DAYS * DAY_MS) throw tooFar();
  return { message, postAt };
}

/** Query of GET /bot/scheduled_messages. */
export class ListScheduledQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid', description: 'only of this conversation' })
  @IsOptional()
  @IsUuid()
  conversation_id?: string;
}
