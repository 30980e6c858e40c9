import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';
import { readdirSync } from 'node:fs';

const features = readdirSync(new URL('./src/features', import.meta.url));

/** Only `host/` may speak to Tauri, whatever else is refused there. */
const noTauri = {
  group: ['@tauri-apps/*', '$this-host'],
  message: 'Only src/host may talk to the system. Use the host.',
};

export default ts.config(
  { ignores: ['dist', 'dist-fake', 'node_modules', 'src/gen'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      'no-console': 'error',
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-imports': ['error', { patterns: [noTauri] }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // Our router is a hash; there is no base path to resolve.
      'svelte/no-navigation-without-resolve': 'off',
      'svelte/prefer-svelte-reactivity': 'off',
      // `style:` directives go through CSSOM and pass the content policy; a test refuses `style` attributes.
      'svelte/no-useless-mustaches': 'off',
      'svelte/button-has-type': 'off',
    },
  },
  // The host is the one folder that imports the system's API; a feature never reaches into another.
  { files: ['src/host/**'], rules: { 'no-restricted-imports': 'off' } },
  ...features.map((name) => ({
    files: [`src/features/${name}/**`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            noTauri,
            {
              group: features.filter((other) => other !== name).map((other) => `**/${other}/**`),
              message: 'Features do not import each other; share through src/kit.',
            },
            { group: ['**/shell/**'], message: 'The shell is above the features; share through src/kit.' },
          ],
        },
      ],
    },
  })),
  {
    files: ['scripts/**', '*.config.*', 'src/**/*.test.ts', 'src/kit/test/**'],
    languageOptions: { globals: { ...globals.node } },
    rules: { 'no-console': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
