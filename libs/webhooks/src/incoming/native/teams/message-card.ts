import { severityOfHex } from '../../formats/color-severity.js';
import type { NativeFormat, NativeLink } from '../native-format.js';
import type { Payload } from '../payload.js';

/** A card for Microsoft Teams' older connectors, which many programs still send. */
export const MESSAGE_CARD: NativeFormat = {
  name: 'Microsoft Teams',
  recognizes: (body) => body.word('@type') === 'messagecard',
  read: (body, { severityFromColor = true }) => {
    const [title, summary, text] = ['title', 'summary', 'text'].map((name) => body.text(name)) as [
      string,
      string,
      string,
    ];
    const isSummaryShown = !title.includes(summary) && !text.includes(summary);
    const sections = body.list('sections');
    return {
      lines: [title, isSummaryShown ? summary : '', text, ...sections.flatMap(sectionLines)],
      links: [body, ...sections].flatMap((part) => part.list('potentialAction').flatMap(linksOf)),
      images: sections.flatMap((section) => [
        ...section.list('images').map((image) => ({ url: image.text('image'), alt: image.text('title') })),
        { url: section.text('heroImage', 'image'), alt: section.text('heroImage', 'title') },
      ]),
      severity: (severityFromColor ? severityOfHex(body.text('themeColor')) : undefined) ?? 'warning',
    };
  },
};

function sectionLines(section: Payload): string[] {
  return [
    ...['title', 'activityTitle', 'activitySubtitle', 'activityText', 'text'].map((name) =>
      section.text(name),
    ),
    ...section.list('facts').map((fact) => factLine(fact.text('name'), fact.text('value'))),
  ];
}

/** Formats a fact as `name: value`. Removes a colon at the end of the name. */
export function factLine(name: string, value: string): string {
  return name === '' || value === '' ? name || value : `${name.replace(/\s*:$/, '')}: ${value}`;
}

/**
 * Reads the links of an action. `OpenUri` has a target per operating system, `ViewAction` a list of
 * addresses, `ActionCard` nested actions.
 */
function linksOf(action: Payload): NativeLink[] {
  const targets = action.list('targets').map((target) => target.text('uri'));
  const url = [...targets, ...action.texts('target')].find((address) => address !== '') ?? '';
  return [{ label: action.text('name') || 'Open', url }, ...action.list('actions').flatMap(linksOf)];
}
