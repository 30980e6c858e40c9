import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { announce } from './announce.svelte';

it('lets an effect speak without hearing itself', () => {
  announce.forget();
  let left = $state(6);
  const stop = $effect.root(() => {
    $effect(() => {
      if (left === 5) announce.say('5 seconds left');
      if (left === 5) announce.alert('5 seconds left');
    });
  });
  flushSync();
  left = 5;
  flushSync();
  expect(announce.polite.map((one) => one.text)).toEqual(['5 seconds left']);
  expect(announce.assertive.map((one) => one.text)).toEqual(['5 seconds left']);
  stop();
});
