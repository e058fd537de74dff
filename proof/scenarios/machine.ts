// Which programs for the scenarios are missing on this machine?

import { existsSync } from 'node:fs'
import { programs } from './people.ts'

/** No window can open without it. */
export const screenProgram = '/usr/bin/Xvfb'

/** Debian packages by the program that they contain. */
const packageOf: Readonly<Record<string, string>> = {
  [programs.chromium]: 'chromium',
  [programs.firefox]: 'firefox-esr',
  [programs.webkit]: 'webkit2gtk-driver',
  '/usr/bin/chromedriver': 'chromium-driver',
  '/usr/bin/WebKitWebDriver': 'webkit2gtk-driver',
  [screenProgram]: 'xvfb',
  '/usr/bin/localedef': 'locales',
}

/** The missing programs among `needs`; by default among everything that a scenario may need. */
export const lacking = (needs: readonly string[] = Object.keys(packageOf)): string[] =>
  needs.filter((program) => !existsSync(program))

/** The Debian packages that bring these programs. */
export const packagesOf = (programs: readonly string[]): string[] => [
  ...new Set(programs.map((program) => packageOf[program] ?? program)),
]

/** What to do about missing programs. */
export const advice = (programs: readonly string[]): string =>
  `${programs.join(', ')} is not on this machine: apt-get install ${packagesOf(programs).join(' ')}`
