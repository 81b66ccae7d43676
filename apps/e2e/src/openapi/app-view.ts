const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const plain = (text: string): object => ({ type: 'plain_text', text });
/** Elements of a Slack app that the examples use. */
export const SELECTS = {
  type: 'actions',
  block_id: 'deploy',
  elements: [
    {
      type: 'static_select',
      action_id: 'target',
      options: [{ text: plain('Live'), value: 'live' }],
    },
    { type: 'external_select', action_id: 'version' },
  ],
};

/** A view with the elements that the examples use. */
export const APP_VIEW = {
  type: 'modal',
  title: plain('Deploy'),
  submit: plain('OK'),
  blocks: [
    SELECTS,
    {
      type: 'input',
      block_id: 'name',
      label: plain('Name'),
      element: { type: 'plain_text_input', action_id: 'input' },
    },
  ],
};

/** Returns the uuid of a view from its id in Slack's spelling: `V` and 26 digits of base32. */
export function uuidOfView(id: string): string {
  const bits = [...id.slice(1)].reduce((sum, digit) => sum * 32n + BigInt(BASE32.indexOf(digit)), 0n);
  const hex = bits.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
