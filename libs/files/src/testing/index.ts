export { FilesFixture } from './files-fixture.js';
export type { FixtureFile } from './files-fixture.js';
export { FilesRig, startFilesApi } from './files-rig.js';
export type { RigBot } from './files-rig.js';
export { follow, sendBytes, TestStorage } from './test-storage.js';
