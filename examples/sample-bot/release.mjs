/**
 * What the bot does: it asks where a release is to go, and lets people reject it. The functions get what a person did and
 * return what Tieline is to do; how the one comes and the other goes is no business of theirs.
 */
const STAGES = { test: 'the test stage', live: 'production' };
const MAX_REASON = 500;

/**
 * What is being rejected, by message and person: a submitted modal brings its fields and nothing else. In memory, so whoever
 * fills in a form while the bot restarts is asked to begin anew; and only so many, since not every form comes back.
 */
const rejections = new Map();
const MAX_REJECTIONS = 1000;

/** @returns the message that answers `/release <text>`; without buttons when it was called wrongly */
export function answerCommand(text) {
  const version = text.trim();
  if (!/^[\w.-]{1,40}$/.test(version)) return { content: 'Usage: /release <version>' };
  const options = Object.entries(STAGES).map(([stage, label]) => ({ value: `${stage} ${version}`, label }));
  const stage = { type: 'select', action_id: 'stage', placeholder: 'Where to', options };
  return {
    content: `Release ${version}: where to?`,
    metadata_json: blocks(stage, button('notes', 'What is in it?', { version }), reject(version)),
  };
}

/**
 * The same click may come twice: every answer here does no harm when it is given again.
 * @returns one of update_message, send_message, ephemeral_text, open_modal, noop
 */
export function answerInteraction(event, { canChainModals }) {
  if (event.event_type === 'modal.submit') return submitted(event, canChainModals);
  const answer = ACTIONS[event.action_id];
  return answer ? answer(event) : { noop: true };
}

/** `data` comes back as it was sent: Tieline has signed it. A select has none, so its options carry what is needed. */
const ACTIONS = {
  stage: ({ selected_value: value }) => {
    const [stage, version] = value.split(' ');
    const confirm = {
      title: 'Deploy?',
      text: `Release ${version} goes to ${STAGES[stage]}.`,
      confirm_label: 'Deploy',
      cancel_label: 'Not yet',
    };
    const deploy = { ...button('deploy', 'Deploy', { version, stage }), style: 'primary', confirm };
    return {
      update_message: {
        text: `Release ${version}: to ${STAGES[stage]}?`,
        metadata_json: blocks(deploy, reject(version)),
      },
    };
  },
  deploy: ({ data }) => {
    const { version, stage } = JSON.parse(data);
    return done(`Release ${version} is on its way to ${STAGES[stage]}.`);
  },
  notes: ({ data }) => ({
    ephemeral_text: `Release ${JSON.parse(data).version} mends what the last one broke.`,
  }),
  reject: (event) => {
    remember(event, JSON.parse(event.data));
    return {
      open_modal: modal('Reject the release', {
        id: 'reason',
        type: 'textarea',
        label: 'Why?',
        required: true,
      }),
    };
  },
  again: ({ data }) => done(verdict({ ...JSON.parse(data), again: true })),
  drop: ({ data }) => done(verdict({ ...JSON.parse(data), again: false })),
};

/** Poll mode asks its second question in a second modal; in callback mode that is a new message with buttons. */
function submitted(event, canChainModals) {
  const rejection = rejections.get(placeOf(event));
  if (!rejection)
    return { ephemeral_text: 'I have forgotten what this was about. Please press Reject again.' };
  // Both modals tell of the action that opened the first one: their fields tell them apart.
  const isSecond = event.values.reason === undefined && rejection.reason !== undefined;
  if (isSecond) return done(verdict({ ...rejection, again: event.values.again === true }));
  const reason = reasonOf(event.values);
  if (!reason) return { ephemeral_text: 'A rejection needs a reason.' };
  const data = { version: rejection.version, reason };
  if (canChainModals) {
    remember(event, data);
    return {
      open_modal: modal('What next?', {
        id: 'again',
        type: 'checkbox',
        label: 'Build it again',
        required: false,
      }),
    };
  }
  const next = blocks(button('again', 'Build it again', data), button('drop', 'Drop it', data));
  return { send_message: { text: `Release ${data.version} is rejected: ${reason}`, metadata_json: next } };
}

function remember(event, rejection) {
  rejections.set(placeOf(event), rejection);
  if (rejections.size > MAX_REJECTIONS) rejections.delete(rejections.keys().next().value);
}

/** Nobody but the person's client has looked at what is in a form. */
function reasonOf({ reason }) {
  return typeof reason === 'string' ? [...reason.trim()].slice(0, MAX_REASON).join('') : '';
}

const placeOf = ({ message_id: messageId, actor_user_id: userId }) => `${messageId} ${userId}`;
const verdict = ({ version, reason, again }) =>
  `Release ${version} is rejected: ${reason} (${again ? 'it is built again' : 'dropped'})`;
/** The message says how it ended, and its buttons go. */
const done = (text) => ({ update_message: { text, metadata_json: '' } });
const reject = (version) => ({ ...button('reject', 'Reject', { version }), style: 'danger' });

function button(actionId, text, data) {
  return { type: 'button', action_id: actionId, text, data: JSON.stringify(data) };
}

function modal(title, ...fields) {
  return { title, fields, submit_label: 'Send' };
}

/** metadata_json is a text of JSON. */
function blocks(...elements) {
  return JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements }] });
}
