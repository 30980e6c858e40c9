import type { Attachment } from 'svelte/attachments';

/** Runs each time this comes into view, for example the button at the end of a list that is loaded in parts. */
export const whenSeen =
  (run: () => void): Attachment =>
  (node) => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) run();
    });
    observer.observe(node);
    return () => observer.disconnect();
  };
