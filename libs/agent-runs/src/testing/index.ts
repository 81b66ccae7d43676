export { RunsFixture, startRunsApi } from './runs-fixture.js';
