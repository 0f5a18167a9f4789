// The scope of a running test.
import { onTestFinished } from 'vitest';
import { createScope, type Scope } from './create-scope.ts';

/** A scope of the running test, closed when it is over, passed or not. */
export function testScope(): Scope {
  const scope = createScope();
  onTestFinished(() => scope.close());
  return scope;
}
