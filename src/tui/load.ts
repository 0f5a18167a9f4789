// Loads Ink, which decides at that moment whether it may draw.

type InkScreen = typeof import('./InkScreen.tsx');

/**
 * Ink's drawing. With CI set Ink would draw nothing until the end, also on a terminal with a person before it (C29),
 * so that it is loaded without.
 */
export async function loadInk(): Promise<InkScreen> {
  const kept = ['CI', 'CONTINUOUS_INTEGRATION'].map((name) => [name, process.env[name]] as const);
  for (const [name] of kept) delete process.env[name];
  try {
    return await import('./InkScreen.tsx');
  } finally {
    for (const [name, value] of kept) if (value !== undefined) process.env[name] = value;
  }
}
