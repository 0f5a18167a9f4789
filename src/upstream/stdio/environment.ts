// The environment a server process gets: a short list of harmless names, and what its configuration adds.

const POSIX = 'HOME LOGNAME PATH SHELL TERM USER';
const WINDOWS =
  'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES ' +
  'PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR';

/** mcpx's own secrets stay its own: a server sees the same names as under the official SDKs, and `configured`. */
export function environmentFor(
  configured: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of (process.platform === 'win32' ? WINDOWS : POSIX).split(' ')) {
    const value = own[name];
    // A value that begins so is a function exported by a shell.
    if (value !== undefined && !value.startsWith('()')) env[name] = value;
  }
  return { ...env, ...configured };
}
