export { FilesFixture } from './files-fixture.js';
export { FilesRig, startFilesApi } from './files-rig.js';
export { follow, sendBytes, TestStorage } from './test-storage.js';
