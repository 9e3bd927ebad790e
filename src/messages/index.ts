export { type Catalogue, catalogueOf, MESSAGE_KEYS, type Message, type MessageKey } from './catalogue.ts';
export { localeOf, type MessageValues, type Translator, translatorOf } from './translator.ts';
