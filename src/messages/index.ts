export { type Catalogue, catalogueOf, MESSAGE_KEYS, type Message, type MessageKey } from './catalogue.ts';
export { localeOf, type MessageValues, type Speaker, speakerOf } from './speaker.ts';
