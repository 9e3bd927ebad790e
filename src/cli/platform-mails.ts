/** `tradeline platform mails [on|off KIND]` */
import { MAIL_KIND_NAMES, SWITCHABLE_MAILS, traitsOf } from '#kernel/mail-kind';
import { platformSettingsChange } from '#modules/operators';
import { sealedSettings } from '#modules/platforms';
import { readArguments, WrongUsage } from './arguments.ts';
import { onPlatform } from './installation.ts';
import { mailKindOf, reasonText } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printItems } from './result.ts';

/** Lists the kinds of mails, or switches one on or off. */
export async function switchMails(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: { type: 'string' }, reason: { type: 'string' } },
  });
  if (positionals.length === 0) return listKinds(values.platform, values.json);
  const [word, name, ...more] = positionals;
  if ((word !== 'on' && word !== 'off') || name === undefined || more.length > 0)
    throw new WrongUsage('Give on or off and the kind of mail: tradeline platform mails on|off KIND.');
  const kind = mailKindOf(name);
  const { mandatory } = traitsOf(kind);
  if (mandatory !== undefined)
    throw new WrongUsage(`Mails of the kind ${name} cannot be switched on or off: ${mandatory}.`);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const { platform } = on;
    const others = SWITCHABLE_MAILS.filter((each) => each !== kind && platform.mails_off.includes(each));
    const off = SWITCHABLE_MAILS.filter((each) => each === kind && word === 'off');
    const vault = on.vault.forPlatform(platform.code, platform.data_key_wrapped);
    await requestAndPrint(on, {
      ...{ kind: platformSettingsChange, reason, isJson: values.json },
      payload: sealedSettings(vault, { mails_off: [...others, ...off] }),
      made: `Platform ${platform.code}: mails of the kind ${name} are ${word}.`,
    });
  });
}

async function listKinds(code: string | undefined, isJson: boolean): Promise<void> {
  await onPlatform(code, async ({ platform }) => {
    const kinds = MAIL_KIND_NAMES.map((kind) => {
      const { audience, when, mandatory = null } = traitsOf(kind);
      return { kind, audience, is_on: !platform.mails_off.includes(kind), mandatory, when };
    });
    const rowOf = ({ kind, audience, is_on, mandatory, when }: (typeof kinds)[number]) => ({
      ...{ kind, to: audience, is: mandatory === null ? (is_on ? 'on' : 'off') : 'always on', when },
    });
    printItems(isJson, kinds, rowOf, '');
  });
}
