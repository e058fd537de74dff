// What does `serve` say when it listens? One line, and with --demo what is needed to try it.

import { dirname } from 'node:path'
import { styleText } from 'node:util'
import type { IssuedCredentials } from '@ringfence/server/clients/credentials.ts'
import { shellWord } from '../shell-word.ts'

export interface Running {
  /** Where the service listens. */
  url: string
  /** Where the sandbox listens, if it was started. */
  sandboxUrl?: string | undefined
  demo?: { credentials: IssuedCredentials; appId: string; path: string } | undefined
}

export function welcome({ url, sandboxUrl, demo }: Running): string {
  const line = `Ringfence listens at ${url}`
  if (!demo) return sandboxUrl === undefined ? line : `${line}, with a sandbox operator at ${sandboxUrl}`
  const { credentials, appId, path } = demo
  const local = reachable(url)
  const title = (text: string) => styleText('bold', text)
  const rows = [
    ['Reference', `${local}/docs`],
    ...(sandboxUrl === undefined
      ? []
      : [['Sandbox', `${sandboxUrl}/sandbox/calls (a made-up operator, and what it was asked)`]]),
    ['clientId', credentials.clientId],
    ['clientSecret', `${credentials.clientSecret}`],
    ['Kept in', path],
    ['appId', `${appId} (for pages on localhost)`],
  ]
  const questions = [
    `${title('Was the SIM of this number swapped?')}\n\n  ${curl(local, credentials, '917020141726')}`,
    ...(sandboxUrl === undefined
      ? []
      : [
          `${title('And of this one? The last four digits choose what the sandbox says.')}\n\n  ${curl(local, credentials, swappedNumber)}`,
        ]),
  ]
  const ask = `npx ringfence check 917020141726 --url ${local}${dataOption(path)}`
  const shell = `${title('All three checks of a number, from another shell:')}\n\n  ${ask}`
  const example = `${title('A page that signs people in, and a backend that verifies. In a clone, from another shell:')}\n\n  ${exampleLine(local, credentials, appId)}`
  const facts = rows.map(([name = '', value = '']) => `  ${name.padEnd(12)}  ${value}`).join('\n')
  return `${line}\n\n${facts}\n\n${[...questions, shell, example].join('\n\n')}\n`
}

/** Reserved for fiction in Australia; its ending is the scenario sim-changed-1-hour-ago. */
const swappedNumber = '61491570110'

/** One line for a shell. Credentials of ours hold letters, digits and underscores only. */
function curl(url: string, { clientId, clientSecret }: IssuedCredentials, phoneNumber: string): string {
  const headers = [`clientId: ${clientId}`, `clientSecret: ${clientSecret}`, 'content-type: application/json']
  const body = JSON.stringify({ phoneNumber })
  return `curl -s ${url}/v1/telecom/sim-swap-check ${headers.map((header) => `-H '${header}'`).join(' ')} -d '${body}'`
}

/** The example of a sign-in; the messages that it sends are printed here. */
function exampleLine(url: string, { clientId, clientSecret }: IssuedCredentials, appId: string): string {
  const variables = { URL: url, APP_ID: appId, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
  const words = Object.entries(variables).map(([name, value]) => `RINGFENCE_${name}=${value}`)
  return `${words.join(' ')} npm run example`
}

/** The default of DATA_FOLDER, where `check` looks by itself. */
const usualDataFolder = 'ringfence-data'

/** The demo's credentials are found without it in the usual folder. */
function dataOption(path: string): string {
  const folder = dirname(path)
  return folder === usualDataFolder ? '' : ` --data ${shellWord(folder)}`
}

/** An address that this machine can call, where the service listens on all. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
