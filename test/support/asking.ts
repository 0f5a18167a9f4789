// Shorthands for tests about what a person does with a question that waits.
import type { RowView } from './gateway.ts';
import { answersOf, type Scene, type SceneOptions, scene } from './scene.ts';

export interface Asked extends Scene {
  readonly row0: RowView;
  /** What the upstream got in the end, raw. */
  answer(): Promise<string>;
  /** `mcpx elicit VERB <the row> …`. */
  elicit(verb: string, ...args: string[]): ReturnType<Scene['gateway']['mcpx']>;
}

/** A scene in which the upstream has asked the given raw schema of a host that cannot show it. */
export async function askedOf(schema: string, options: SceneOptions = {}, message = 'm'): Promise<Asked> {
  const it = await scene(options);
  const params = `{"message":${JSON.stringify(message)},"requestedSchema":${schema}}`;
  const call = it.host.startCall('ask', { params });
  const row0 = await it.row();
  return {
    ...it,
    row0,
    answer: async () => (await answersOf(call.reply))[0] ?? '',
    elicit: (verb, ...args) => it.gateway.mcpx(['elicit', verb, row0.id, ...args]),
  };
}
