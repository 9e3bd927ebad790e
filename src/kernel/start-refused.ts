/**
 * A reason not to start that the operator can act on. The message is one sentence which says what is wrong and
 * names the setting to change; the command prints it alone, without a stack, and exits.
 */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
