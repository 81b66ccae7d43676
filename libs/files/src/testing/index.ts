export { FilesFixture } from './files-fixture.js';
export { FilesHarness, startFilesApi } from './files-harness.js';
export { follow, sendBytes, TestStorage } from './test-storage.js';
