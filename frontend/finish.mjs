// After a build: the licences of what was built in, the pieces for those who draw boards elsewhere,
// and the digests of what it was built from and of what was built, so that a test sees a build that is older than
// its sources, or was changed by hand.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

const built = '../src/zeroply/apps/web/static';

// chessops, whose licence is the same as the widget's, brings one small library of another.
const result = readFileSync('node_modules/@badrap/result/LICENSE', 'utf8');
const widget = readFileSync('node_modules/chessgroundx/LICENSE', 'utf8');
writeFileSync(`${built}/LICENSES.txt`, readFileSync('licences.txt', 'utf8').replace('RESULT_LICENCE', result.trim()) + widget);

cpSync('src/pieces', `${built}/pieces`, { recursive: true });

const single = ['finish.mjs', 'index.html', 'licences.txt', 'package-lock.json', 'package.json', 'tsconfig.json', 'vite.config.ts'];
const inside = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/'));
const digests = (paths, base = '') =>
  paths
    .sort()
    .map(path => `${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${path.slice(base.length)}\n`)
    .join('');
const madeHere = digests(inside(built), `${built}/`);
writeFileSync(`${built}/source.sha256`, digests([...single, ...inside('public'), ...inside('src')]));
writeFileSync(`${built}/built.sha256`, madeHere);
