import { describe, expect, it } from 'vitest';
import { host } from '../host';
import { money, moneyText } from './money.svelte';

describe('amounts', () => {
  it('keep the digits that count below the smallest coin', () => {
    expect(moneyText(2130, 'USD')).toBe('$0.0021');
    expect(moneyText(12_500, 'USD')).toBe('$0.01');
    expect(moneyText(3_500_000, 'USD')).toBe('$3.50');
    expect(moneyText(0, 'USD')).toBe('$0.00');
  });

  it('are in the currency of the person, by its own coins', () => {
    expect(moneyText(2130, 'EUR')).toBe('€0.0021');
    expect(moneyText(300_000, 'JPY')).toBe('¥0.3');
    expect(moneyText(42_000_000, 'JPY')).toBe('¥42');
    // A currency unknown to the system appears by its code.
    expect(moneyText(3_500_000, 'XQZ')).toBe('XQZ\u00a03.50');
  });

  it('are numbers alone while the currency is not known, and with one that is none', () => {
    expect(moneyText(3_456_789, null)).toBe('3.457');
    expect(moneyText(2130, null)).toBe('0.0021');
    expect(moneyText(3_000_000, 'Euro')).toBe('3');
  });

  it('follow the setting', async () => {
    expect(money.text(3_000_000)).toBe('3');
    await expect.poll(() => money.text(3_000_000)).toBe('$3.00');
    await host.call('config_set', { key: 'models.currency', value: 'EUR' });
    await expect.poll(() => money.text(3_000_000)).toBe('€3.00');
  });
});
