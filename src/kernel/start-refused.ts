/**
 * A reason not to start that the operator can act on. The message is one sentence with the cause and the setting to
 * change. The command prints only this sentence, without a stack, and exits.
 */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
