export { ComponentSigner } from './component-signer.js';
export { ComponentSigningModule } from './component-signing.module.js';
export { parseMetadata } from './metadata.js';
export type { Metadata } from './metadata.js';
