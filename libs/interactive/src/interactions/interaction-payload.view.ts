import { FEEDBACK_CHOICES } from '@tieline/conversations';
import type { FeedbackChoice } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';
import type { Sent } from '@tieline/platform/http';
import { BotAnswerDto } from '../answers/dto/bot-answer.dto.js';
import { ChoicesDto } from '../choices/dto/choices.dto.js';

/* API docs of the payloads that bots receive for clicks and modals. */

const MESSAGE = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42';
const MODAL = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d61';
const MOMENT = '2026-01-31T09:00:00.123456000Z';

class InteractionEvent {
  @Field({ example: 'button.click' })
  event_type: string;

  @Field({ example: '01939d3e-0001-7aaa-9c1d-2f6a5b1c0d41' })
  space_id: string;

  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41', description: 'the person who acted' })
  actor_user_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  conversation_id: string;

  @Field({ example: MESSAGE, optional: true, description: 'absent if a command opened the form' })
  message_id?: string;

  @Field({
    example: 'tlt_…',
    optional: true,
    description: 'of a click or selection, or of the command that opened the form',
  })
  trigger_id?: string;

  @Field({ example: 'deploy', description: "the element's action, or the command's name" })
  action_id: string;

  @Field({ example: MESSAGE, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: MOMENT })
  occurred_at: string;

  @Field({ example: MESSAGE, optional: true, description: 'in poll mode: the id for the answer' })
  interaction_id?: string;

  @Field({ example: 'tlr_…', description: 'token for a late answer' })
  response_token: string;

  @Field({ example: 'https://chat.example.com/api/v1/bot/responses/tlr_…' })
  response_url: string;
}

class ButtonClickEvent extends InteractionEvent {
  @Field({ enum: ['button.click'] })
  override event_type: 'button.click';

  @Field({ example: '{"build":4711}', description: "the button's `data`, unchanged" })
  data: string;

  @Field({
    enum: FEEDBACK_CHOICES,
    optional: true,
    description: 'of feedback buttons: what the person thinks',
  })
  feedback?: FeedbackChoice;
}

class SelectSubmitEvent extends InteractionEvent {
  @Field({ enum: ['select.submit'] })
  override event_type: 'select.submit';

  @Field({ example: '' })
  data: string;

  @Field({ example: 'live', description: 'the first selected value; "" if none is selected' })
  selected_value: string;

  @Field({ example: ['live'] })
  selected_values: string[];
}

class ModalSubmitEvent extends InteractionEvent {
  @Field({ enum: ['modal.submit'] })
  override event_type: 'modal.submit';

  @Field({ example: MODAL, description: 'identifies the form' })
  modal_id: string;

  @Field({ example: { reason: 'Hotfix' }, description: 'by the ids of the fields' })
  values: Record<string, unknown>;

  @Field({ example: 'build 4711', optional: true, description: 'for a validated form' })
  private_metadata?: string;
}

class ModalClosedEvent extends InteractionEvent {
  @Field({ enum: ['modal.closed'] })
  override event_type: 'modal.closed';

  @Field({ example: MODAL, description: 'identifies the form' })
  modal_id: string;

  @Field({ example: 'build 4711', optional: true })
  private_metadata?: string;
}

class ModalOptionsEvent {
  @Field({ enum: ['modal.options'] })
  event_type: 'modal.options';

  @Field({ example: 'deploy' })
  action_id: string;

  @Field({ example: 'version', description: 'id of the field' })
  field: string;

  @Field({ example: 'v1.', description: 'text typed so far' })
  typed: string;

  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41' })
  user_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  conversation_id: string;

  @Field({ example: '01939d3e-0001-7aaa-9c1d-2f6a5b1c0d41' })
  space_id: string;

  @Field({ example: MESSAGE, optional: true })
  message_id?: string;

  @Field({ example: MESSAGE, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: 'build 4711', optional: true })
  private_metadata?: string;

  @Field({ example: 'tlr_…', description: 'token for the answer in poll mode' })
  response_token: string;
}

/** Events for clicks and forms in the API docs. */
export const SENT_INTERACTIONS: readonly Sent[] = [
  {
    event: 'button.click',
    summary: 'A person clicked a button',
    payload: ButtonClickEvent,
    answer: BotAnswerDto,
  },
  {
    event: 'select.submit',
    summary: 'A person chose something in a message',
    payload: SelectSubmitEvent,
    answer: BotAnswerDto,
  },
  {
    event: 'modal.submit',
    summary: 'A person submitted a form',
    payload: ModalSubmitEvent,
    answer: BotAnswerDto,
  },
  { event: 'modal.closed', summary: 'A person closed a form', payload: ModalClosedEvent },
  {
    event: 'modal.options',
    summary: 'A person is typing into a field whose options the bot provides',
    payload: ModalOptionsEvent,
    answer: ChoicesDto,
  },
];

class StreamedToPerson {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  conversation_id: string;

  @Field({ example: '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41' })
  bot_id: string;
}

class StreamedEphemeral extends StreamedToPerson {
  @Field({ enum: ['ephemeral'] })
  event: 'ephemeral';

  @Field({ example: MESSAGE, optional: true })
  message_id?: string;

  @Field({ example: 'Only you can see this' })
  text: string;

  @Field({ example: '{"version":1,"blocks":[]}', optional: true })
  metadata_json?: string;

  @Field({
    example: [{ type: 'divider' }],
    optional: true,
    description: 'blocks of a Slack app, to be shown in place of the text',
  })
  app_blocks?: object[];

  @Field({ example: true, optional: true, description: 'the bot deleted it' })
  deleted?: true;
}

class StreamedModal extends StreamedToPerson {
  @Field({ enum: ['modal.open', 'modal.update', 'modal.push'] })
  event: 'modal.open' | 'modal.update' | 'modal.push';

  @Field({ example: MESSAGE, optional: true })
  message_id?: string;

  @Field({ example: 'deploy' })
  action_id: string;

  @Field({ example: { title: 'Why now?', fields: [] }, description: 'as the bot sent it' })
  modal: Record<string, unknown>;

  @Field({ example: 'WKZ…' })
  modal_token: string;
}

class StreamedModalErrors extends StreamedToPerson {
  @Field({ enum: ['modal.errors'] })
  event: 'modal.errors';

  @Field({ example: MESSAGE, optional: true })
  message_id?: string;

  @Field({ example: 'deploy' })
  action_id: string;

  @Field({
    ofTexts: true,
    example: { version: 'v1.4.1 was withdrawn.' },
    description: 'keyed by field id',
  })
  errors: Record<string, string>;

  @Field({ example: 'TuG…' })
  modal_token: string;
}

/** Stream events for people that come from bots' answers, in the API docs. */
export const STREAMED_OF_BOTS = [StreamedEphemeral, StreamedModal, StreamedModalErrors];
