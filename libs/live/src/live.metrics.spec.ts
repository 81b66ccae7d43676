import { Metrics } from '@tieline/platform/observability';
import { LiveMetrics } from './live.metrics.js';

test('dropped live messages are counted by reason', async () => {
  const metrics = new Metrics();
  new LiveMetrics(metrics).busDropped(2, 'outage');
  expect(await metrics.text()).toContain('tieline_bus_dropped_total{reason="outage"} 2');
});
