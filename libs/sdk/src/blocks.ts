/** `@tieline/sdk/blocks`: builders of messages and forms that check the server's limits. */
export { blocks } from './blocks/blocks.js';
export type { ImagePart, SectionOptions, TextPart } from './blocks/blocks.js';
export { elements } from './blocks/elements.js';
export type { Options, Shared } from './blocks/elements.js';
export { checkMetadata, metadataJson } from './blocks/metadata-rules.js';
export { fields, modal } from './blocks/modal.js';
export type { FieldOptions, ModalOptions } from './blocks/modal.js';
export { checkModal } from './blocks/modal-rules.js';
export { LimitError } from './blocks/rules.js';
