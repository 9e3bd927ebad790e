/** `tradeline events tail` */

import { openApiClient } from './api-client.ts';
import { readArguments } from './arguments.ts';
import { commandOf } from './command.ts';
import { followEvents, positionOf } from './follow-events.ts';
import { stoppingSignal } from './stopping.ts';
import { instant } from './table.ts';

export const eventsCommand = commandOf('events', { tail });

const text = { type: 'string' } as const;

/** Prints one line per event; with --json, the event as in the API. Ends with the position after which to continue. */
async function tail(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { types: text, after: text } });
  const after = positionOf(values.after);
  const api = openApiClient();
  const { signal, end } = stoppingSignal();
  const say = (sentence: string) => console.error(sentence);
  try {
    const events = followEvents(api, {
      ...{ types: values.types ?? null, after, signal, report: say },
      onStarted: (position) => say(`Events after position ${position} of ${api.baseUrl}. Stop with Ctrl-C.`),
    });
    for await (const event of events) {
      const { position, occurred_at, type, data } = event;
      const { external_id, buyer_external_id, sequence } = data as Record<string, unknown>;
      const line = `${position}  ${instant(occurred_at)}  ${type}  ${external_id ?? buyer_external_id}  ${sequence}`;
      console.log(values.json ? JSON.stringify(event) : line);
    }
  } finally {
    end();
  }
}
