import type { Attachment } from 'svelte/attachments';

/** Runs each time the element scrolls into view, for example a button at the end of a partly loaded list. */
export const whenSeen =
  (run: () => void): Attachment =>
  (node) => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) run();
    });
    observer.observe(node);
    return () => observer.disconnect();
  };
