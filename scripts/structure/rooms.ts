// Which rooms has the server, and which may use which? A room uses those above it in this list.

/** Folders of server/src, in the order in which they are built. Files beside them put the service together: they are the last room. */
export const rooms = [
  // The engine: store, keys, settings, clock, and what every room may use.
  'core',
  // What is known of numbers, addresses and robots; how a third party is called.
  ...['ip', 'email', 'phone', 'bots', 'upstream'],
  // Who may call; what happened.
  ...['clients', 'apps', 'events'],
  // What is answered about a number, a device and a person, and by rules.
  ...['telecom', 'device', 'rules', 'accounts', 'device-report', 'sign-in', 'legacy-api', 'decisions'],
  // Who looks after the service; what speaks to it.
  ...['admin', 'camara-front', 'http', 'main'],
]

/** The room of a file, such as `server/src/telecom/answers.ts`. */
export function roomOf(file: string): string {
  const [, folder = 'main'] = /^server\/src\/([^/]+)\//.exec(file) ?? []
  if (!rooms.includes(folder)) throw new Error(`${file} lies in no room; see scripts/structure/rooms.ts`)
  return folder
}
