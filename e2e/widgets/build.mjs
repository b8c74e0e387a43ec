// Bundles each page of the farm into the folder that is its argument.
import { build } from 'esbuild';
import { readdirSync } from 'node:fs';

await build({
  entryPoints: readdirSync('pages').filter((name) => name.endsWith('.jsx')).map((name) => `pages/${name}`),
  outdir: process.argv[2],
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"', global: 'window' },
  loader: { '.svg': 'dataurl', '.png': 'dataurl', '.gif': 'dataurl', '.woff': 'dataurl', '.woff2': 'dataurl', '.ttf': 'dataurl', '.eot': 'dataurl' },
  logLevel: 'warning',
});
