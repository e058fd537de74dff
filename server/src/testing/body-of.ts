// What was sent to a server of a test?

import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** The whole body. A request that is cut off, as at the end of a test, is never answered: it fails nothing. */
export function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => void text(request).then(resolve, () => undefined))
}
