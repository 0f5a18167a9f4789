// JsonText is branded where src is compiled (tsconfig.json) and plain text for tests (test/tsconfig.json), which write what
// peers send by hand.
import './types.ts';

declare module './types.ts' {
  interface JsonTextBrand {
    readonly brand: 'JSON text';
  }
}
