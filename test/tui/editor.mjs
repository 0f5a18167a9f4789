// Stands in for an editor: adds to the file it is given.
import { appendFileSync } from 'node:fs';

appendFileSync(process.argv[2], ' edited\nsecond line\n');
