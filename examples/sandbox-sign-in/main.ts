// Lets a made-up person sign in to the sandbox, and prints what the page would send to its backend, as variables of a shell.

import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { signIn } from './sign-in.ts'

const usage = `Usage: eval "$(npm run -s sign-in -- --user asha --device laptop)"

Sets TOKEN, and with a device DFR_ID.

  --user NAME      your id of the user (default: asha)
  --device NAME    any name, such as laptop: the same name is the same device. A program drives robot (default: no device)
  --number DIGITS  phone number with country code, which received the code (default: an ordinary one that follows from the user)
  --email ADDRESS  email address that received the code instead`

const { RINGFENCE_URL: url, RINGFENCE_APP_ID: appId, RINGFENCE_CLIENT_ID: clientId } = process.env
const { RINGFENCE_CLIENT_SECRET: clientSecret } = process.env

try {
  const { user, device, number, email, help } = parseArgs({
    options: {
      user: { type: 'string', default: 'asha' },
      device: { type: 'string' },
      number: { type: 'string' },
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
    const sent = await signIn(
      { userId: user, to: email ?? number ?? numberOf(user), device },
      { url, appId, clientId, clientSecret },
    )
    console.log(`export TOKEN=${sent.token}${sent.dfrId === undefined ? '; unset DFR_ID' : ` DFR_ID=${sent.dfrId}`}`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(`\n${usage}`)
  process.exitCode = 1
}

/** Its last four digits are not those of a scenario of the sandbox. */
function numberOf(user: string): string {
  const digits = createHash('sha256').update(user).digest().readUInt16BE() % 8000
  return `91702014${2000 + digits}`
}
