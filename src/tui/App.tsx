// The whole UI: draws the frame of the state, and reports that it stands on the screen.
import { Box, useCursor } from 'ink';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { FrameLine } from './FrameLine.tsx';
import { shown } from './state/place.ts';
import type { StateStore } from './state-store.ts';
import type { Theme } from './theme.ts';
import { draw } from './view/screen.ts';

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
