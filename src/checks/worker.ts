// A thread that runs what servers and the configuration wrote, one job at a time; whoever started it ends it when one
// takes too long.
import { parentPort } from 'node:worker_threads';
import type { Job } from '../form/checks.ts';
import { runJob } from '../form/jobs.ts';

/** What the thread sends: once that it is there, then a reply to each job. */
export type FromWorker =
  | { readonly ready: true }
  | { readonly ready: false; readonly done: true; readonly value: unknown }
  | { readonly ready: false; readonly done: false; readonly why: string };

const port = parentPort;
if (port !== null) {
  const send = (message: FromWorker): void => port.postMessage(message);
  port.on('message', (job: Job) => {
    try {
      send({ ready: false, done: true, value: runJob(job) });
    } catch (error) {
      send({ ready: false, done: false, why: error instanceof Error ? error.message : String(error) });
    }
  });
  send({ ready: true });
}
