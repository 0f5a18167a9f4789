// Ends the processes of a test run that was itself killed, so that none is left behind: a shell that outlives it by a moment.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

// Reads "+ PID" and "- PID"; at the end of its input whatever is still on the list is killed.
const SCRIPT = `trap '' INT TERM HUP
pids=' '
while read -r op pid; do
  case $op in
    +) pids="$pids$pid " ;;
    -) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
  esac
done
[ "$pids" = ' ' ] || kill -9 $pids 2>/dev/null`;

let guard: Socket | undefined;

function start(): Socket {
  const shell = spawn('sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // Neither the shell nor its pipe keeps the run alive; a shell that cannot be had guards nothing.
  shell.on('error', () => {});
  shell.unref();
  const input = shell.stdin as unknown as Socket;
  input.on('error', () => {});
  input.unref();
  return input;
}

/** Has `child` killed should this process end without ending it. */
export function guarded(child: ChildProcess): void {
  if (process.platform === 'win32' || child.pid === undefined) return;
  guard ??= start();
  const { pid } = child;
  guard.write(`+ ${pid}\n`);
  child.once('exit', () => guard?.write(`- ${pid}\n`));
}
