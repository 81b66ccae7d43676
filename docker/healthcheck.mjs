/** Succeeds when the api or worker of this container reports that it is ready. */
const ports = [process.env.PORT || 3000, process.env.WORKER_PORT || 3001];

async function isReady(port) {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
    signal: AbortSignal.timeout(3_000),
  });
  if (response.status !== 200) throw new Error(`port ${port}: status ${response.status}`);
}

try {
  await Promise.any(ports.map(isReady));
} catch (error) {
  console.error(error.errors.map(({ message }) => message).join('; '));
  process.exit(1);
}
