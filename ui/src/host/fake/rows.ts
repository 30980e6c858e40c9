// The rows of the fake world, by subject.
export * from './day-rows';
export * from './going-rows';
export * from './stored-rows';
export * from './log-rows';
export * from './moments';
export { contacts, mails } from './people';
