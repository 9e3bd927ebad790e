/** Commands that require the platform to be named, because they concern keys and mails. */
import { StartRefused } from '#kernel/start-refused';
import { type OnPlatform, onPlatform } from './installation.ts';

/** The platform's code as given, and what is done on it. */
export interface OnNamedPlatform {
  platform: string | undefined;
  act(on: OnPlatform): Promise<void>;
}

/** A verb that reads all options before anything is opened. */
export function onNamedPlatform(
  read: (args: string[]) => OnNamedPlatform,
): (args: string[]) => Promise<void> {
  return async (args) => {
    const { platform: code, act } = read(args);
    if (code === undefined) throw new StartRefused('--platform is required: the code of the platform.');
    await onPlatform(code, act);
  };
}
