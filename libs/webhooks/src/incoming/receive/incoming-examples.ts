/** Examples in the two documented formats, by their names in OpenAPI. */
export const FORMATS = {
  blocks: {
    summary: 'block-kit style',
    value: {
      text: '*disk* is full on <https://host.example|host>',
      severity: 'critical',
      mentions: ['0190f2a4-7c1b-7000-8000-00000000a001'],
    },
  },
  flat: {
    summary: 'flat style',
    value: {
      message: { content: '**disk** is full', buttons: [{ text: 'Open', url: 'https://host.example' }] },
      silent: true,
    },
  },
  alert: {
    summary: 'an alert, edited while it is open',
    value: { text: 'CPU of db1 is high', severity: 'warning', dedup_key: 'cpu/db1', thread_key: 'db1' },
  },
  resolved: {
    summary: 'the end of that alert',
    value: { text: 'CPU of db1 is fine', dedup_key: 'cpu/db1', resolved: true },
  },
};

/** Examples in native formats. */
export const NATIVE_FORMATS = {
  alertmanager: {
    summary: 'a native format: Alertmanager',
    value: {
      version: '4',
      groupKey: '{}:{alertname="HighCPU"}',
      status: 'firing',
      receiver: 'chat',
      commonLabels: { alertname: 'HighCPU', severity: 'critical' },
      externalURL: 'https://alertmanager.example',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'HighCPU', severity: 'critical' },
          annotations: { summary: 'CPU of db1 over 90%' },
          generatorURL: 'https://prometheus.example/graph',
        },
      ],
    },
  },
};

/** Example of a form. */
export const FORMS = {
  form: { summary: 'the JSON in a form', value: { payload: '{"text":"disk is full"}' } },
};

/** Example of plain text. */
export const TEXTS = { text: { summary: 'plain text', value: 'disk is full' } };
