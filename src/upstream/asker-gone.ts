// Why an upstream's question ended when the upstream did not take it back itself.

/** The abort reason of `UpstreamRequest.signal` when the process or session that asked is gone: its row is lost. */
export class AskerGone extends Error {
  override readonly name = 'AskerGone';
}
