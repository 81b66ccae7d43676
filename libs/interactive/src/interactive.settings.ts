import { int, settings } from '@tieline/platform/config';

const DAY_S = 86_400;

/** Buttons, selects and modals. */
export class InteractiveSettings extends settings('Buttons and modals', {
  tokenTtlSeconds: int('INTERACTIVE_TOKEN_TTL_SECONDS', {
    default: DAY_S,
    min: 1,
    max: 365 * DAY_S,
    text: 'lifetime of a [button](buttons-and-menus.md#how-long-a-button-works) after its message was sent or edited',
  }),
  modalTokenTtlSeconds: int('MODAL_TOKEN_TTL_SECONDS', {
    default: 900,
    min: 1,
    max: DAY_S,
    text: 'time to submit a modal',
  }),
  pollInteractionTtlSeconds: int('POLL_INTERACTION_TTL_SECONDS', {
    default: 900,
    min: 1,
    max: DAY_S,
    text: 'time to answer an interaction in poll mode',
  }),
  responseTokenTtlSeconds: int('RESPONSE_TOKEN_TTL_SECONDS', {
    default: 1800,
    min: 1,
    max: DAY_S,
    text: 'time for [late answers](interactive.md#late-answers) to a click, form or command',
  }),
  triggerTtlSeconds: int('TRIGGER_TTL_SECONDS', {
    default: 300,
    min: 1,
    max: DAY_S,
    text: 'time to open a modal with the `trigger_id` of a click, form or shortcut',
  }),
  modalChainMaxDepth: int('MODAL_CHAIN_MAX_DEPTH', {
    default: 3,
    min: 1,
    max: 100,
    text: 'modals in one chain in poll mode, including the first',
  }),
}) {}
