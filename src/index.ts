// The library: the broker of a state directory, for programs that look at questions or answer them.
export { type OpenBrokerOptions, openBroker } from './broker/open.ts';
export { rowJson } from './broker/row-json.ts';
export type { Answer, Broker, Change, Row, RowFilter, Settled } from './broker/types.ts';
export { type Clock, systemClock } from './clock.ts';
export { type ErrorCode, isMcpxError, McpxError } from './errors.ts';
export { type Log, silent } from './log.ts';
