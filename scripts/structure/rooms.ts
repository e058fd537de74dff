// Which rooms has the server, and which may use which? A room uses those above it in this list.

/** Folders and files of server/src, in the order in which they are built. */
export const rooms = [
  // What every room may use.
  ...['version', 'clock', 'storage', 'json', 'files', 'expiring-map', 'pages', 'errors', 'dated-data', 'config'],
  ...['crypto', 'metrics', 'core', 'servers', 'heavy-work', 'telemetry'],
  // What is known of numbers, addresses and robots; how a third party is called.
  ...['ip', 'email', 'phone', 'bots', 'upstream', 'oauth'],
  // Who may call; what happened.
  ...['clients', 'apps', 'events'],
  // What is answered about a number, by rules, about a device and a person.
  ...['telecom', 'device', 'rules', 'accounts', 'reasons', 'device/report'],
  ...[
    'tokens',
    'device/calls',
    'identity-tokens',
    'authentication',
    'legacy-api',
    'decisions',
    'rule-changes',
    'search',
  ],
  // Who looks after the service.
  ...['privacy', 'doctor', 'demo', 'admin', 'key-rotation', 'camara-front'],
  ...['http', 'features', 'parts', 'maintenance', 'main'],
]

/** The room of a file, such as `server/src/telecom/answers.ts`. A folder of a room may be another room; the door goes with the last. */
export function roomOf(file: string): string {
  const [, room = '', inside] = /^server\/src\/([^/]+?)(?:\.ts$|\/([^/]+))/.exec(file) ?? []
  const isDoor = inside === 'index.ts'
  const own = isDoor ? rooms.findLast((each) => each.startsWith(`${room}/`)) : `${room}/${inside}`
  const found = [own, room].find((each) => each !== undefined && rooms.includes(each))
  if (found === undefined) throw new Error(`${file} lies in no room; see scripts/structure/rooms.ts`)
  return found
}
