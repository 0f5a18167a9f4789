// The whole UI: draws the frame of the state, and reports that it stands on the screen.
import { Box, Text, useCursor } from 'ink';
import { memo, useEffect, useMemo, useSyncExternalStore } from 'react';
import { shown } from './state/place.ts';
import type { StateStore } from './state-store.ts';
import type { Theme } from './theme.ts';
import { draw } from './view/screen.ts';
import type { Line } from './view/span.ts';

export interface AppProps {
  readonly store: StateStore;
  readonly theme: Theme;
}

export function App({ store, theme }: AppProps) {
  const state = useSyncExternalStore(store.subscribe, store.state);
  const frame = useMemo(() => draw(state), [state]);
  const { setCursorPosition } = useCursor();
  setCursorPosition(frame.cursor);
  const gate = shown(state)?.question.gate.number;
  // After the commit: only what has been drawn may open the gate of keys that send.
  useEffect(() => {
    if (gate !== undefined) store.drawn(gate);
  }, [store, gate]);
  return (
    <Box flexDirection="column">
      {frame.lines.map((spans, index) => (
        // A line is its place on the screen: nothing moves, it only changes its text.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <FrameLine key={index} spans={spans} theme={theme} />
      ))}
    </Box>
  );
}

export interface FrameLineProps {
  readonly spans: Line;
  readonly theme: Theme;
}

export const FrameLine = memo(function FrameLine({ spans, theme }: FrameLineProps) {
  // Ink gives a line without text no height.
  if (spans.every(({ text }) => text === '')) return <Text> </Text>;
  return (
    <Text wrap="truncate-end">
      {spans.map(({ text, tone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the line
        <Text key={index} {...theme[tone]}>
          {text}
        </Text>
      ))}
    </Text>
  );
});
