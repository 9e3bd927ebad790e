/** A command with verbs: `tradeline <name> <verb> …`. */
import { WrongUsage } from './arguments.ts';

type Run = (args: string[]) => Promise<void>;

export interface Command extends Run {
  /** Empty for a command without verbs. */
  verbs: readonly string[];
}

/** The help of a command. */
export interface CommandHelp {
  summary: string;
  /** Usage and meaning of each verb. A command without verbs has one entry with an empty name. */
  verbs: Record<string, [usage: string, meaning: string]>;
}

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** A command that passes its arguments to a verb. Throws WrongUsage with the list of verbs for any other word. */
export function commandOf(name: string, verbs: Readonly<Record<string, Run>>): Command {
  const names = Object.keys(verbs);
  const run: Run = async ([verb = '', ...args]) => {
    const chosen = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (!chosen) throw new WrongUsage(`Name a subcommand: tradeline ${name} ${OR.format(names)}.`);
    await chosen(args);
  };
  return Object.assign(run, { verbs: names });
}

export function commandWithoutVerbs(run: Run): Command {
  return Object.assign(run, { verbs: [] });
}
