import { readFileSync } from 'node:fs';
import type { PolicyGraph } from '../policy.schemas.ts';
import { sha256Of } from './evaluate-policy.ts';

const FILE = new URL('../../../../policies/default.json', import.meta.url);

export const DEFAULT_POLICY_NAME = 'default';

let read: { graph: PolicyGraph; sha256: Buffer } | undefined;

/** The content of policies/default.json, the policy of a new platform. Read once. */
export function defaultPolicy(): { graph: PolicyGraph; sha256: Buffer } {
  if (!read) {
    const graph = JSON.parse(readFileSync(FILE, 'utf8')) as PolicyGraph;
    read = { graph, sha256: sha256Of(graph) };
  }
  return read;
}
