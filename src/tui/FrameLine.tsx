// One line of the frame: its pieces in the looks of the theme.
import { Text } from 'ink';
import { memo } from 'react';
import type { Theme } from './theme.ts';
import type { Line } from './view/span.ts';

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
