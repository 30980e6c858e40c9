import { t } from '../../kit/strings';
import '../../kit/strings/en/first';

const NOON = 12;
const EVENING = 18;
/** Before this hour it still counts as evening. */
const DAWN = 4;

/** A greeting for the hour, with the person's first name when it is known. */
export function greeting(hour: number, name: string): string {
  const part = hour >= EVENING || hour < DAWN ? 'evening' : hour >= NOON ? 'afternoon' : 'morning';
  const [first = ''] = name.trim().split(/\s+/);
  return first ? t(`first.${part}_name`, { name: first }) : t(`first.${part}`);
}
