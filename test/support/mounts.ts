// Small file systems for tests of full and read-only disks, where the machine allows them.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createScope, type Scope } from './create-scope.ts';

function sh(...command: [string, ...string[]]): boolean {
  return spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0;
}

export interface Mount {
  readonly dir: string;
  readOnly(): void;
}

/** Mounts a memory disk of `size` (as mount takes it: `256k`); unmounted with the scope. */
export function mountDisk(scope: Scope, size: string): Mount {
  const dir = join(scope.dir(), 'disk');
  mkdirSync(dir);
  if (!sh('mount', '-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', dir))
    throw new Error('mount failed');
  scope.defer(() => sh('umount', '-l', dir));
  return {
    dir,
    readOnly() {
      if (!sh('mount', '-o', 'remount,ro', dir)) throw new Error('remount failed');
    },
  };
}

/** Why disks cannot be mounted here (not root, not Linux, a locked-down container); undefined where they can. */
export async function noMounts(): Promise<string | undefined> {
  const scope = createScope();
  try {
    mountDisk(scope, '64k');
    return undefined;
  } catch {
    return 'mounting a memory disk needs root on Linux';
  } finally {
    await scope.close();
  }
}
