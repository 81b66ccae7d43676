/** What the bot answers, whichever way a question came. */
import { answerPlan, beginPlan, isOfPlan } from './plan.mjs';
import { answerCommand, answerInteraction } from './release.mjs';
import { answerByTrigger } from './tieline.mjs';
import { suggestVersions } from './versions.mjs';

/** A click, a choice, a form that was submitted or closed. @returns one of the answers to it; to a closed form none is heard */
export const answerEvent = (event, { canChainModals }) =>
  isOfPlan(event) ? answerPlan(event) : answerInteraction(event, { canChainModals });

/** Somebody types, into a command or a form. */
export const answerTyping = suggestVersions;
export const isTyping = ({ event_type: type }) => type === 'command.options' || type === 'modal.options';

/**
 * A command.
 * @returns the text for the person at once, or undefined when the answer follows
 */
export function answerInvocation(invocation) {
  if (invocation.command === 'plan') {
    beginPlan(invocation).catch(console.error);
    return undefined;
  }
  // An answer at once could carry buttons too; here they follow by trigger, after an empty answer.
  const message = answerCommand(invocation.text);
  if (!message.metadata_json) return { text: message.content };
  answerByTrigger(invocation.trigger_id, message).catch(console.error);
  return undefined;
}
