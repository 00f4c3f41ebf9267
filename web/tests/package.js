// The package as npm packs it.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Packs the package; returns its archive, the folder with its files, and a function that removes
 * both.
 */
export function pack() {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const place = mkdtempSync(join(tmpdir(), 'tabia-pack-'));
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', place], { cwd });
  const archive = join(place, JSON.parse(output.toString())[0].filename);
  execFileSync('tar', ['-xzf', archive, '-C', place]);
  return {
    archive,
    folder: join(place, 'package'),
    remove: () => rmSync(place, { recursive: true }),
  };
}
