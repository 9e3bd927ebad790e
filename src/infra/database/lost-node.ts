/** Recognizes the errors by which a cluster reports that it has lost a node. */
import type pg from 'pg';

/** The message of a cluster that loses a node during a statement. Its code is that of an internal error; the wording is libpq's. */
export const LOST_NODE =
  /^(failure on connection marked as essential|server closed the connection unexpectedly|could not (receive|send) data (from|to) server|SSL SYSCALL error|SSL connection has been closed unexpectedly|no connection to the server|connection not open)/;

const LOST_NODE_CODE = /^(08...|57P0.)$/;
/** A commit that a node did not confirm: the node was lost, or a check at the commit refused. A preceding warning says which. */
const UNCONFIRMED_COMMIT = /^could not commit transaction for shard/;

/** The error of a commit during which a node was lost. Whether it took place is not known. */
export class NodeLost extends Error {
  readonly code = '08006';

  constructor(cause: Error) {
    super('A node of the cluster was lost during a commit.', { cause });
  }
}

export interface NodeWatch {
  /** Call it before each statement is sent. */
  begin(): void;
  /** The error to reject a statement with. */
  explain(error: Error): Error;
}

/** Call it for each new connection to a cluster. */
export function watchNodes(client: pg.PoolClient): NodeWatch {
  let isLost = false;
  client.on('notice', ({ code = '', message = '' }) => {
    if (LOST_NODE_CODE.test(code) || LOST_NODE.test(message)) isLost = true;
  });
  return {
    begin() {
      isLost = false;
    },
    explain: (error) => (isLost && UNCONFIRMED_COMMIT.test(error.message) ? new NodeLost(error) : error),
  };
}
