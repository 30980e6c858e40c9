import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// `--mode fake` builds the same window around the in-memory host, into its own folder: what ships never contains it.
export default defineConfig(({ mode }) => {
  const fake = mode === 'fake' || mode === 'test';
  return {
    plugins: [svelte()],
    clearScreen: false,
    resolve: {
      alias: [
        { find: '$this-host', replacement: at(fake ? 'src/host/fake.ts' : 'src/host/tauri.ts') },
        // Every icon of Lucide draws itself with this.
        { find: /^\.\.\/Icon\.svelte$/, replacement: at('src/kit/Glyph.svelte') },
      ],
      // Components under test are mounted, not rendered to text.
      ...(mode === 'test' ? { conditions: ['browser'] } : {}),
    },
    server: { port: 1420, strictPort: true },
    // Safari 16.4 is the oldest web view we meet (WebKitGTK 2.42 is newer).
    build: {
      target: 'safari16',
      outDir: fake ? 'dist-fake' : 'dist',
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      manifest: true,
      rolldownOptions: {
        output: {
          // What a start needs comes in two scripts instead of fifty: each is a request, and compressed for itself. They
          // hold what the window and the conversation import; a test of the size keeps what they may be.
          codeSplitting: {
            groups: [
              { name: 'start', tags: ['$initial'], priority: 2 },
              { name: 'chat', test: /shell[\\/]ChatSurface\.svelte$/, priority: 1 },
            ],
          },
        },
      },
    },
    test: {
      environment: 'jsdom',
      include: ['src/**/*.test.ts'],
      setupFiles: ['src/kit/test/setup.ts'],
      restoreMocks: true,
      // A busy machine takes long; a test that waits for what never comes ends before.
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  };
});
