/** Whether the address of the service can be listened on, and what to do if not. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartRefused } from '#kernel/start-refused';

interface Address {
  port: number;
  host: string;
}

/** Listens for a moment, so that a start with a taken port ends before a database is made. Throws StartRefused. */
export async function assertCanListen({ port, host }: Address): Promise<void> {
  const server = createServer();
  try {
    server.listen({ port, host });
    await once(server, 'listening');
  } catch (error) {
    throw listenRefusal({ port, host }, error as Error);
  }
  server.close();
  await once(server, 'close');
}

export function listenRefusal({ port, host }: Address, error: Error): StartRefused {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartRefused(
        `Port ${port} on ${host} is in use: set PORT to another one, or to 0 for any free one.`,
      );
    case 'EACCES':
      return new StartRefused(`This user may not listen on port ${port}: set PORT to one above 1023.`);
    default:
      return new StartRefused(
        `HOST=${host} is not an address of this machine that can be listened on (${error.message}).`,
        { cause: error },
      );
  }
}
