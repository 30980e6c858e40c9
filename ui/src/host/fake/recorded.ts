import config from '../frames/config_list.json';
import doctor from '../frames/doctor.json';
import catalogue from '../frames/tools.json';
import type { Check, Setting, Tool } from '../wire';

// The engine's own data, as recorded by `tests/frames`.

const [{ reply: configured }] = config as unknown as [{ reply: { settings: Setting[] } }];
const [{ reply: checked }] = doctor as unknown as [{ reply: { checks: Check[] } }];
const [{ reply: known }] = catalogue as unknown as [{ reply: { tools: Tool[] } }];

/** All settings, in the engine's order. */
export const { settings } = configured;
/** What `doctor` reports when only the keyring and models are missing. */
export const { checks } = checked;
export const { tools } = known;
