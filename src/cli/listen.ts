/** `tradeline listen`: forwards the events of a platform to a server on the developer's machine. */
import { request } from 'undici';
import { systemClock } from '#infra/time/clock';
import { newSigningSecret, type RecordedEvent, requestHeaders } from '#modules/webhooks';
import { openApiClient } from './api-client.ts';
import { readOptions, WrongUsage } from './arguments.ts';
import { commandWithoutVerbs } from './command.ts';
import { followEvents, positionOf } from './follow-events.ts';
import { stoppingSignal } from './stopping.ts';

export const listenCommand = commandWithoutVerbs(listen);

/** The same as for a webhook. */
const ATTEMPT_TIMEOUT_MS = 15_000;
const text = { type: 'string' } as const;

async function listen(args: string[]): Promise<void> {
  const options = {
    'forward-to': text,
    types: text,
    after: text,
    'print-json': { type: 'boolean', default: false },
  } as const;
  const { values } = readOptions({ args, options });
  const target = targetOf(values['forward-to']);
  const after = positionOf(values.after);
  const api = openApiClient();
  const secret = newSigningSecret();
  const { signal, end } = stoppingSignal();
  // With --print-json, standard output contains only events.
  const say = (sentence: string) => (values['print-json'] ? console.error(sentence) : console.log(sentence));
  let last: number | null = null;
  try {
    const events = followEvents(api, {
      ...{ types: values.types ?? null, after, signal, report: say },
      onStarted(position) {
        last = position;
        say(`Signing secret: ${secret}`);
        say(`Events after position ${position} go to ${target}. Stop with Ctrl-C.`);
      },
    });
    for await (const event of events) {
      if (values['print-json']) console.log(JSON.stringify(event));
      say(`${event.type}  ${resourceIn(event)}  ${await forward(target, event, secret, signal)}`);
      last = event.position;
    }
  } finally {
    end();
  }
  if (last !== null) say(`Continue with --after ${last}.`);
}

/** Parses the url. It is not vetted, so it must lead to this machine or its network. */
function targetOf(url = ''): string {
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isHttp) throw new WrongUsage('--forward-to is required: a url such as http://localhost:4242.');
  return url;
}

const resourceIn = ({ data }: RecordedEvent) => {
  const { external_id, buyer_external_id } = data as Record<string, unknown>;
  return String(external_id ?? buyer_external_id);
};

/** Sends the event once, like a webhook. Returns the outcome. */
async function forward(
  target: string,
  { position: _, ...event }: RecordedEvent,
  secret: string,
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify(event);
  const signed = { id: event.id, body, attempt: 1, unixSeconds: systemClock.now() };
  const startedMs = systemClock.elapsedMs();
  const took = () => `${Math.round(systemClock.elapsedMs() - startedMs)} ms`;
  try {
    const reply = await request(target, {
      method: 'POST',
      headers: requestHeaders([secret], signed),
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
    });
    await reply.body.dump();
    return `${reply.statusCode}  ${took()}`;
  } catch (error) {
    const { code, name, message } = error as Error & { code?: string };
    return `failed: ${code ?? (name === 'Error' ? message : name)}  ${took()}`;
  }
}
