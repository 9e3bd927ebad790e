/** A policy gave no valid answer. Names the node at fault, if there is one. */
export class PolicyFailed extends Error {
  readonly nodeId: string | null;
  readonly nodeName: string | null;

  constructor(node: { id: string; name: string } | null, sentence: string) {
    super(node === null ? sentence : `Node "${node.name}" (${node.id}): ${sentence}`);
    this.name = 'PolicyFailed';
    this.nodeId = node?.id ?? null;
    this.nodeName = node?.name ?? null;
  }
}
