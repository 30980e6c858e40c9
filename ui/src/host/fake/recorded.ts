import config from '../frames/config_list.json';
import doctor from '../frames/doctor.json';
import catalogue from '../frames/tools.json';
import type { Check, Setting, Tool } from '../wire';

// What the engine says of itself, as it was recorded (`tests/frames`).

const [{ reply: configured }] = config as unknown as [{ reply: { settings: Setting[] } }];
const [{ reply: checked }] = doctor as unknown as [{ reply: { checks: Check[] } }];
const [{ reply: known }] = catalogue as unknown as [{ reply: { tools: Tool[] } }];

/** All settings, in the engine's order. */
export const { settings } = configured;
/** What `doctor` finds where everything is well but for a keyring and models. */
export const { checks } = checked;
export const { tools } = known;
