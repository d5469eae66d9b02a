import { GenericContainer, getContainerRuntimeClient, Wait, type StartedTestContainer } from 'testcontainers';

/** The versions that docker-compose.yml runs. */
const eventStoreImage = 'eventstore/eventstore:23.10.7-bookworm-slim';
const mongoImage = 'mongo:7.0.43-jammy';

/**
 * Starts what EVENTSTORE_URL and MONGODB_URL do not name, where a Docker engine answers. Without one nothing is
 * started, and the suites say themselves that they were skipped and why.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['EVENTSTORE_URL'] && process.env['MONGODB_URL']) return undefined;
  try {
    await getContainerRuntimeClient();
  } catch {
    console.error(
      'No Docker engine answers; suites that need a server which is not set are skipped by name.',
    );
    return undefined;
  }
  const started: StartedTestContainer[] = [];
  if (!process.env['EVENTSTORE_URL']) {
    const container = await new GenericContainer(eventStoreImage)
      .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_TELEMETRY_OPTOUT: 'true' })
      .withExposedPorts(2113)
      .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
      .start();
    started.push(container);
    process.env['EVENTSTORE_URL'] =
      `esdb://${container.getHost()}:${container.getMappedPort(2113)}?tls=false`;
  }
  if (!process.env['MONGODB_URL']) {
    const container = await new GenericContainer(mongoImage)
      .withCommand(['--replSet', 'rs0', '--bind_ip_all'])
      .withExposedPorts(27017)
      .withWaitStrategy(Wait.forLogMessage('Waiting for connections'))
      .start();
    started.push(container);
    const initiate = 'rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "localhost:27017" }] })';
    const { exitCode, output } = await container.exec(['mongosh', '--quiet', '--eval', initiate]);
    if (exitCode !== 0) throw new Error(`The replica set could not be initiated: ${output}`);
    process.env['MONGODB_URL'] =
      `mongodb://${container.getHost()}:${container.getMappedPort(27017)}/commonweal?directConnection=true`;
  }
  return async () => {
    for (const container of started) await container.stop();
  };
}
