// What does `serve --sandbox` print? All that a newcomer needs for the first calls, on one screen.

import { styleText } from 'node:util'
import { consoleUrl } from '@ringfence/server/admin/people/invitation.ts'
import type { IssuedCredentials } from '@ringfence/server/clients/credentials.ts'
import { commandName, isClone } from '@ringfence/server/core/command-name.ts'
import { exportCommand, reachableUrl } from '../export-command.ts'

export interface RunningSandbox {
  /** Where the service listens. */
  url: string
  /** Where the sandbox operator lists the calls it received. */
  callsUrl: string
  credentials: IssuedCredentials
  credentialsPath: string
  appId: string
  /** Where its commands find its data; undefined: in the working folder. */
  dataFolder: string | undefined
  /** One-time link of the first owner of the console; undefined when there is one. */
  ownerLink: string | undefined
  /** Which configuration file was read, and what it configures. */
  configuration: string
  /** Whether the terminal shows messages, because no channels are configured. */
  showsMessages: boolean
  /** Whether the login example, which only a clone has, works: some channel sends codes to phone numbers. */
  canSignIn: boolean
}

/** The text after the first line. Commands come after the variables they use, so that each block can be pasted as it is. */
export function sandboxWelcome({ url, callsUrl, appId, dataFolder, ...sandbox }: RunningSandbox): string {
  const local = reachableUrl(url)
  const facts = [
    ['Configuration', sandbox.configuration],
    ['Credentials', `${sandbox.credentialsPath} (tenant sandbox)`],
    ['Messages', sandbox.showsMessages ? 'shown in this terminal, not sent' : 'sent by the configured channels'],
    ['Operator calls', callsUrl],
    ['API reference', `${local}/docs`],
    // The link works once, for an hour, and makes whoever opens it the owner.
    ['Console', sandbox.ownerLink ?? consoleUrl(local)],
  ] as const
  const blocks = [
    [
      'In another terminal, in the same folder, paste this first:',
      exportCommand({ url: local, ...sandbox.credentials, appId, dataFolder }),
    ],
    [
      "Has this number's SIM been swapped? Yes: the SIM of a number that ends in 0110 was swapped an hour ago.",
      swapCheck,
    ],
    ['The checks of a number, as a table:', `  ${commandName} check 61491570156`],
    ...(sandbox.canSignIn && isClone
      ? [['A login page at http://localhost:3000, and its backend:', '  npm run example']]
      : []),
  ]
  return [
    '\n',
    ...facts.map(([name, value]) => `  ${name.padEnd(14)}  ${value}`),
    ...blocks.flatMap(([title = '', command = '']) => ['', styleText('bold', title), '', command]),
    '',
    'A mistake? curl -si shows x-ringfence-notice, which says what to do. Press Ctrl-C to stop.',
    '',
  ].join('\n')
}

/** The number is reserved for fiction in Australia. */
const swapCheck = `  curl -s "$RINGFENCE_URL/v1/telecom/sim-swap-check" \\
    -H "clientId: $RINGFENCE_CLIENT_ID" -H "clientSecret: $RINGFENCE_CLIENT_SECRET" \\
    -H 'content-type: application/json' -d '{"phoneNumber":"61491570110"}'`
