import { severityOfHex } from '../../message/color-severity.js';
import type { Payload } from '../../message/payload.js';
import { mostSevere } from '../../message/severity.js';
import type { Severity } from '../../message/severity.js';
import type { NativeFormat, NativeImage, NativeLink } from '../parts/native-format.js';

/** Severities of text colors and container styles. */
const COLORS: ReadonlyMap<string, Severity> = new Map([
  ['attention', 'critical'],
  ['warning', 'warning'],
  ['good', 'info'],
]);
/** Fields that contain nested elements. */
const PARTS = ['body', 'items', 'columns', 'rows', 'cells', 'images', 'actions', 'inlines'];

/** Whether a body is a Microsoft Teams card. Cards share fields with the block-kit format. */
export function isTeamsCard(body: Payload): boolean {
  return [MESSAGE_CARD, ADAPTIVE_CARD].some((format) => format.recognizes(body, {}));
}

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
      links: [body, ...sections].flatMap((part) => part.list('potentialAction').flatMap(linksOfAction)),
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
function factLine(name: string, value: string): string {
  return name === '' || value === '' ? name || value : `${name.replace(/\s*:$/, '')}: ${value}`;
}

/**
 * Reads the links of an action. `OpenUri` has a target per operating system, `ViewAction` a list of
 * addresses, `ActionCard` nested actions.
 */
function linksOfAction(action: Payload): NativeLink[] {
  const targets = action.list('targets').map((target) => target.text('uri'));
  const url = [...targets, ...action.texts('target')].find((address) => address !== '') ?? '';
  return [{ label: action.text('name') || 'Open', url }, ...action.list('actions').flatMap(linksOfAction)];
}

/**
 * An Adaptive Card, alone or in the attachments of a message, as sent to Microsoft Teams workflows.
 */
export const ADAPTIVE_CARD: NativeFormat = {
  name: 'Microsoft Teams',
  recognizes: (body) => cardsOf(body).length > 0,
  read: (body, { severityFromColor = true }) => {
    const elements = cardsOf(body).flatMap(elementsOf);
    const colors = elements.flatMap((element) => [element.word('color'), element.word('style')]);
    const ofColors = mostSevere(colors.map((color) => COLORS.get(color)));
    const summary = body.text('summary');
    const lines = elements.flatMap(linesOf);
    return {
      lines: lines.some((line) => line.includes(summary)) ? lines : [summary, ...lines],
      links: elements.flatMap(linksOf),
      images: elements.flatMap(imagesOf),
      severity: (severityFromColor ? ofColors : undefined) ?? 'warning',
    };
  },
};

function cardsOf(body: Payload): Payload[] {
  const within = body.list('attachments').map((attachment) => attachment.object('content'));
  return [body, ...within].filter((card) => card.word('type') === 'adaptivecard');
}

/** Returns an element and all nested ones, in order. The JSON parser limits the depth. */
function elementsOf(element: Payload): Payload[] {
  const parts = PARTS.flatMap((name) => element.list(name)).flatMap(elementsOf);
  return [element, ...parts, ...(element.isObject('selectAction') ? [element.object('selectAction')] : [])];
}

function linesOf(element: Payload): string[] {
  switch (element.word('type')) {
    case 'textblock':
      return [element.text('text')];
    case 'richtextblock':
      return [element.runs('inlines').join('')];
    case 'factset':
      return element.list('facts').map((fact) => factLine(fact.text('title'), fact.text('value')));
    default:
      return [];
  }
}

function imagesOf(element: Payload): NativeImage[] {
  return element.word('type') === 'image' ? [{ url: element.text('url'), alt: element.text('altText') }] : [];
}

function linksOf(element: Payload): NativeLink[] {
  return element.word('type') === 'action.openurl'
    ? [{ label: element.text('title') || 'Open', url: element.text('url') }]
    : [];
}
