import { checkSettings, ConfigError, discoverSettings, Environment } from '@tieline/platform/config';

/** Both programs of `npm start` listen on one host. */
const PORTS = { PORT: '3000', WORKER_PORT: '3001', METRICS_PORT: '', OPERATOR_PORT: '' };
/** These two may share a listener of the api. */
const SHARED = 'METRICS_PORT OPERATOR_PORT';

/**
 * Checks every variable before anything is started with it.
 * @param {NodeJS.ProcessEnv} env of api and worker
 * @throws Error that names all problems together.
 */
export async function requireSettings(env) {
  const problems = [...(await problemsOf(env)), ...sharedPorts(env)];
  if (problems.length > 0) throw new ConfigError(problems);
}

/** @param {NodeJS.ProcessEnv} env */
async function problemsOf(env) {
  try {
    checkSettings(await discoverSettings(), new Environment(env), ['OPERATOR_TOKEN']);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/**
 * @param {NodeJS.ProcessEnv} env @returns {string[]} a problem for each two programs that want the
 * same port
 */
function sharedPorts(env) {
  const ports = Object.entries(PORTS)
    .map(([name, usual]) => ({ name, port: Number(env[name]?.trim() || usual) }))
    .filter(({ port }) => port > 0);
  return ports.flatMap(({ name, port }, at) =>
    ports
      .slice(at + 1)
      .filter((other) => other.port === port && `${name} ${other.name}` !== SHARED)
      // The settings themselves say this of the listeners of the api.
      .filter((other) => name !== 'PORT' || other.name === 'WORKER_PORT')
      .map((other) => `${other.name} must be another port than ${name}, which is ${port}`),
  );
}
