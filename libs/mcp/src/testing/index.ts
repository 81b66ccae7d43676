export { diagnosticMcpModule } from './conformance/diagnostic-server.js';
