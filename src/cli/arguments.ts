/** Reads the arguments of a command. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { StartRefused } from '#kernel/start-refused';

/** The arguments are wrong, regardless of the data: exit code 2. */
export class WrongUsage extends StartRefused {}

const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;

/** The arguments of a command that prints a result: `readOptions` with the option --json. */
export function readArguments<const Config extends ParseArgsConfig>(config: Config) {
  const options = { ...config.options, ...JSON_OPTION };
  return readOptions({ ...config, options } as Config & { options: typeof JSON_OPTION });
}

/** `parseArgs` that throws WrongUsage. For an unknown option, the message lists the known ones. */
export function readOptions<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    if (!code.startsWith('ERR_PARSE_ARGS')) throw error;
    // The first sentence names the fault; the others explain quoting.
    const [fault = ''] = message.split(/\.(\s|$)/);
    const isUnknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    throw new WrongUsage(isUnknown ? `${fault}: ${knownOptions(config)}.` : `${fault}.`);
  }
}

function knownOptions({ options = {} }: ParseArgsConfig): string {
  const names = Object.keys(options).map((name) => `--${name}`);
  return names.length === 0 ? 'this command has no options' : `the options are ${names.join(', ')}`;
}
