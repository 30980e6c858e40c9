/** Labels as they are typed, between commas: without space around, none twice. */
export function labelsOf(typed: string): string[] {
  return [...new Set(typed.split(',').map((one) => one.trim()))].filter((one) => one !== '');
}
