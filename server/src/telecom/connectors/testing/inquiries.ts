// Which numbers and inquiries do tests of connectors use?

import type { PhoneNumber } from '../../../phone/phone-number.ts'

/** An Indian mobile number with these last four digits, which select the sandbox's scenario. */
export function numberEnding(suffix: string): PhoneNumber {
  return { digits: `91702014${suffix}`, callingCode: '91', country: 'IN', type: 'MOBILE' }
}

/** A number without a scenario in the sandbox. */
export const ordinaryNumber = numberEnding('1726')

/** An inquiry with its deadline after `deadlineMs`. */
export const inquiry = (deadlineMs = 60_000) => ({
  signal: AbortSignal.timeout(deadlineMs),
  correlator: 'test-correlator',
  pay: <Answer>(request: () => Promise<Answer>) => request(),
})
