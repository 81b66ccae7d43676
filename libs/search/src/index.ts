export { emptyIndex, indexEarlierMessages, indexProgress } from './indexing/index-earlier-messages.js';
export { SearchModule, SearchWorkerModule } from './search.module.js';
