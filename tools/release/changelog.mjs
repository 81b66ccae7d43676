/** What CHANGELOG.md says, and what becomes of it with a release. */

const HEADING = /^## (\S+)(?: — (\d{4}-\d\d-\d\d))?$/gm;

/**
 * @param {string} text @returns {{ name: string, date: string | undefined, text: string }[]} newest
 * first
 */
function sections(text) {
  const found = [...text.matchAll(HEADING)];
  return found.map((match, n) => ({
    name: match[1],
    date: match[2],
    text: text.slice(match.index + match[0].length, found[n + 1]?.index).trim(),
  }));
}

/**
 * What is unreleased becomes the version.
 * @param {string} text @param {string} version @param {string} date
 * @throws Error when there is nothing to release, or the version is there already.
 */
export function released(text, version, date) {
  const all = sections(text);
  if (all.some(({ name }) => name === version)) throw new Error(`CHANGELOG.md has ${version} already`);
  const [unreleased] = all;
  if (unreleased?.name !== 'Unreleased' || unreleased.text === '')
    throw new Error('CHANGELOG.md has nothing unreleased');
  return text.replace(HEADING, (heading, name) =>
    name === 'Unreleased' ? `## ${version} — ${date}` : heading,
  );
}

/**
 * @param {string} text @param {string} version @returns {string} what a version brings @throws
 * Error when CHANGELOG.md does not say
 */
export function notesOf(text, version) {
  const section = sections(text).find(({ name }) => name === version);
  if (!section || section.text === '') throw new Error(`CHANGELOG.md says nothing about ${version}`);
  return section.text;
}
