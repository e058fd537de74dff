// How is the console kept out of a start? The handlers of a file are loaded with its first call: most of the time nobody uses the console.

/** `callsOf(() => import('./calls/apps.ts'))('adminListApps')` is that handler, with its types. */
export const callsOf =
  <File extends object>(load: () => Promise<File>) =>
  <Name extends keyof File>(name: Name): File[Name] =>
    ((...call: never[]) => load().then((file) => (file[name] as (...all: never[]) => unknown)(...call))) as File[Name]
