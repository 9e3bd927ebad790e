/** Runs before each pure test file. Refuses everything that a pure test must not do. */
import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';
import { vi } from 'vitest';
import { patience } from './patience.ts';

vi.setConfig({ testTimeout: patience(10), hookTimeout: patience(10) });

function refuse(): never {
  throw new Error(
    'This test file counts as pure, but connects, listens or starts a process: see pure-tests.ts.',
  );
}

Socket.prototype.connect = refuse;
Server.prototype.listen = refuse;
Object.assign(ChildProcess.prototype, { spawn: refuse });
