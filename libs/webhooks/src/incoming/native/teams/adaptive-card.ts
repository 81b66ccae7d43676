import { mostSevere } from '../../formats/severity.js';
import type { Severity } from '../../formats/severity.js';
import { factLine } from './message-card.js';
import type { NativeFormat, NativeImage, NativeLink } from '../native-format.js';
import type { Payload } from '../payload.js';

/** Severities of text colors and container styles. */
const COLORS: ReadonlyMap<string, Severity> = new Map([
  ['attention', 'critical'],
  ['warning', 'warning'],
  ['good', 'info'],
]);
/** Fields that contain nested elements. */
const PARTS = ['body', 'items', 'columns', 'rows', 'cells', 'images', 'actions', 'inlines'];

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
