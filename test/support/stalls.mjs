// Loaded into a gateway with --import: writes how long its main thread worked without a pause, in CPU time, so that a busy
// machine does not count. Lines of MCPX_STALLS: milliseconds. Linux only; elsewhere wall time.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY = 10;
const LEAST = 20;
const SCHEDSTAT = '/proc/thread-self/schedstat';
const file = process.env.MCPX_STALLS;
const own = existsSync(SCHEDSTAT)
  ? () => Number(readFileSync(SCHEDSTAT, 'utf8').split(' ')[0]) / 1e6
  : () => performance.now();

if (isMainThread && file !== undefined) {
  // The first line says that there is somebody who measures.
  appendFileSync(file, '0\n');
  let before = own();
  setInterval(() => {
    const now = own();
    if (now - before > LEAST) appendFileSync(file, `${(now - before).toFixed(1)}\n`);
    before = own();
  }, EVERY).unref();
}
