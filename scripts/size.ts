// How large an installation do so many users need? `npm run size -- --users 10e6` prints it.

import { parseArgs } from 'node:util'
import { estimate, usualTraffic } from './size/estimate.ts'
import { terminalText } from './size/page.ts'

const usage = `Usage: npm run size -- --users 10e6 [--checks N] [--sign-ins N] [--visits N]

--users: people in a month. The others are for each of them and month;
by default ${usualTraffic.checks} telecom checks, ${usualTraffic.signIns} sign-ins and ${usualTraffic.visits} visits with the SDK.`

function numberOf(name: string, text: string | undefined, otherwise?: number): number {
  const number = text === undefined ? otherwise : Number(text)
  if (number === undefined || !(number >= 0 && number <= 1e12)) {
    throw new Error(`--${name} must be a number from 0 to 1e12, for example 10e6\n\n${usage}`)
  }
  return number
}

try {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { users: text, checks: text, 'sign-ins': text, visits: text } })
  const users = numberOf('users', values.users)
  const checks = numberOf('checks', values.checks, usualTraffic.checks)
  const signIns = numberOf('sign-ins', values['sign-ins'], usualTraffic.signIns)
  const visits = numberOf('visits', values.visits, usualTraffic.visits)
  if (users < 1) throw new Error(`--users must be at least 1\n\n${usage}`)
  console.log(terminalText(estimate({ users, checks, signIns, visits })))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
