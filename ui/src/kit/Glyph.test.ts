import Copy from '@lucide/svelte/icons/copy';
import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';

it('draws the shapes of a Lucide icon, and nothing but what they need', () => {
  const { container } = render(Copy, { class: 'i s' });
  const drawn = container.querySelector('svg');
  expect([drawn?.getAttribute('class'), drawn?.getAttribute('aria-hidden')]).toEqual(['i s', 'true']);
  const shapes = [...(drawn?.children ?? [])];
  expect(shapes.map((one) => [one.localName, one.namespaceURI])).toEqual(
    ['rect', 'path'].map((name) => [name, 'http://www.w3.org/2000/svg']),
  );
  expect(shapes[0]?.getAttribute('rx')).toBe('2');
});
