// Who makes a change on the command line, unless --by names somebody?

import { userInfo } from 'node:os'

/** A container may run as a user without a name. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
