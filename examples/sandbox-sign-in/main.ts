// Lets a made-up person sign in to the sandbox, and prints what the page would send to its backend, as variables of a shell.

import { parseArgs } from 'node:util'
import { type DeviceName, deviceNames } from './devices.ts'
import { signIn } from './sign-in.ts'

const usage = `Usage: eval "$(npm run -s sign-in -- --user asha --device laptop)"

Sets TOKEN, and with a device DFR_ID.

  --user NAME      your id of the user (default: asha)
  --device NAME    ${deviceNames.join(', ')} (default: none)
  --number DIGITS  phone number with country code, which received the code (default: 917020141726)
  --email ADDRESS  email address that received the code instead`

const { RINGFENCE_URL: url, RINGFENCE_APP_ID: appId, RINGFENCE_CLIENT_ID: clientId } = process.env
const { RINGFENCE_CLIENT_SECRET: clientSecret } = process.env

try {
  const { user, device, number, email, help } = parseArgs({
    options: {
      user: { type: 'string', default: 'asha' },
      device: { type: 'string' },
      number: { type: 'string', default: '917020141726' },
      email: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values
  if (help) {
    console.log(usage)
  } else {
    if (!url || !appId || !clientId || !clientSecret) {
      throw new Error('Paste the export command that `npm start` prints first.')
    }
    if (device !== undefined && !isName(device)) {
      throw new Error(`There is no device ${device}: choose one of ${deviceNames.join(', ')}.`)
    }
    const sent = await signIn({ userId: user, to: email ?? number, device }, { url, appId, clientId, clientSecret })
    console.log(`export TOKEN=${sent.token}${sent.dfrId === undefined ? '; unset DFR_ID' : ` DFR_ID=${sent.dfrId}`}`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(`\n${usage}`)
  process.exitCode = 1
}

function isName(name: string): name is DeviceName {
  return (deviceNames as string[]).includes(name)
}
