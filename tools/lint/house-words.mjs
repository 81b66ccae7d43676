/**
 * Words and turns of phrase that readers stumble over, each with what to write instead
 * (CONTRIBUTING.md, "Writing"). Checked in comments by `house/plain-english`, and in documents by
 * `proseProblems`.
 */

/** @type {[RegExp, string][]} */
const INSTEAD = [
  [/\banew\b/i, 'again'],
  [/\bat once\b/i, '"immediately" or "concurrently"'],
  [/\bmeanwhile\b/i, '"in the meantime", or nothing'],
  [/\bsomebody\b/i, '"someone", or name who it is'],
  [/\bsomebody's\b/i, '"someone\'s", or name whose it is'],
  [/\bnobody\b/i, '"no one", or say what does not happen'],
  [/\bwho(?:m)?ever\b/i, '"anyone who", "a user who"'],
  [/\beverybody\b/i, '"everyone"'],
  [/\banybody\b/i, '"anyone"'],
  [/\bneedn't\b/i, '"does not have to"'],
  [/\b(?:mustn't)\b/i, '"must not"'],
  [/\bshall\b/i, '"must", "should" or "will"'],
  [/\b(?:thereby|hereby|thereof|therein|wherein|whereof)\b/i, 'two sentences'],
  [/\bother than before\b/i, '"changed"'],
  [/\banother than\b/i, '"different from"'],
  [/\bpast its time\b/i, '"expired"'],
  [/\b(?:is|are|was|were|be|been) told\b/i, '"is notified", or name who tells'],
  [/\b(?:is|are|was|were|be|been) given up\b/i, '"is abandoned", "is canceled"'],
  [/\b(?:is|are|was|were|be|been) let through\b/i, '"is allowed"'],
  [/\bgoes on\b/i, '"continues"'],
  [/\bstands? in\b/i, '"is in"'],
  [/\blies in\b/i, '"is in"'],
  [/\bcomes of\b/i, '"is caused by"'],
  [/\bat an end\b/i, '"over"'],
  [/\bas it (?:is|was|stands)(?=[.,;:)]|$)/i, '"unchanged"'],
  [/\bfor so (?:long|many)\b/i, 'the length or number'],
  [/\bso (?:many|often|long)\b(?! (?:as|that))/i, 'the number'],
  [
    /\b(?:contract|decisions?), (?:[A-Z"0-9]|section)|\(contract\)|\bdecisions\.md|\bintegration-api\b/,
    'the page and heading in docs/ that states the rule',
  ],
  [/\bresp\./i, '"or"'],
  [/\bthe same holds for\b/i, '"this also applies to"'],
  [/\b(?:behaviour|colour|neighbour|favour|honour)\w*/i, 'American spelling'],
  [/\b(?:serialis|initialis|recognis|organis|normalis|authoris|optimis|summaris)\w+/i, 'American spelling'],
];

/**
 * @param {string} prose text without code
 * @returns {{ found: string, instead: string }[]} in the order of the list
 */
export function houseWords(prose) {
  return INSTEAD.flatMap(([pattern, instead]) => {
    const found = pattern.exec(prose)?.[0];
    return found ? [{ found, instead }] : [];
  });
}

/** Leaves out what is code or an address: `backticks`, quotations and links. */
export function withoutCode(text) {
  return text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`]*`/g, 'x')
    .replace(/"[^"\n]*"/g, 'x')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\S+/g, '');
}
