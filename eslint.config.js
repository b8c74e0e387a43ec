// The rules for the front end: the window and the scripts that run in pages.
import js from '@eslint/js'
import ts from 'typescript-eslint'

const words = '[A-Za-z]{2}'
const textAttributes = '/^(label|title|hint|text|go|about|placeholder|aria-label|alt)$/'
const toStrings = 'Texts that people read are in strings.ts.'

export default ts.config(
  { ignores: ['**/*', '!internal', '!internal/**', '**/dist/**', '**/vendored/**', 'internal/wrapper/**'] },
  {
    files: ['internal/**/*.{ts,tsx}'],
    extends: [js.configs.recommended, ts.configs.recommendedTypeChecked, ts.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-len': ['error', { code: 120, ignoreUrls: true }],
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/prefer-nullish-coalescing': 'off', // an empty text is as good as none
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
    },
  },
  {
    files: ['internal/webui/src/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: `JSXText[value=/${words}/]`, message: toStrings },
        { selector: `JSXAttribute[name.name=${textAttributes}] > Literal[value=/${words}/]`, message: toStrings },
        {
          selector: `JSXAttribute[name.name=${textAttributes}] TemplateElement[value.raw=/${words}/]`,
          message: toStrings,
        },
        { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: 'No view writes HTML.' },
      ],
    },
  },
  {
    files: ['internal/webui/src/**/*.test.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' }, // node:test waits for its tests itself
  },
)
