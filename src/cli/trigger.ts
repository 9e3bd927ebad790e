/** `tradeline trigger TYPE` */
import { openApiClient } from './api-client.ts';
import { readOptions, WrongUsage } from './arguments.ts';
import { commandWithoutVerbs } from './command.ts';
import { EVENT_RECIPES } from './event-recipes.ts';
import { SandboxStory } from './sandbox-story.ts';

export const triggerCommand = commandWithoutVerbs(trigger);

async function trigger(args: string[]): Promise<void> {
  const { positionals } = readOptions({ args, options: {}, allowPositionals: true });
  const [type = '', ...others] = positionals;
  const recipe = Object.hasOwn(EVENT_RECIPES, type)
    ? EVENT_RECIPES[type as keyof typeof EVENT_RECIPES]
    : undefined;
  if (!recipe || others.length > 0)
    throw new WrongUsage(
      `Name one of the events that can be triggered: ${Object.keys(EVENT_RECIPES).join(', ')}.`,
    );
  const story = new SandboxStory(openApiClient());
  await story.begin();
  await recipe(story);
  console.log(`${type} was made.`);
}
