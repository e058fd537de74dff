// Detects a private window, by where the browser stores data.

import { flag } from '../../../core/path-types.ts'
import { isMissing } from '../../analysis/absent-facts.ts'
import { engineOf } from '../../analysis/engine.ts'
import type { Evidence } from '../../analysis/evidence.ts'
import { type Finding, signal } from '../signal.ts'

/** A system call takes 1 to 5 µs; a round trip to another process takes 150 to 300 µs, or tens of µs on a fast machine. */
const privateFromMicros = 25

/** A private window does not store data on the disk. Each engine shows that in its own way. */
export const incognito = signal({
  name: 'incognito',
  question: 'Is this a private window?',
  version: 3,
  platforms: ['WEB'],
  judge(evidence): Finding<boolean> | undefined {
    // Each engine has its own test: without the engine, nobody knows which one counts.
    if (isMissing(evidence, 'engine') || isMissing(evidence, 'storage')) return undefined
    const engine = engineOf(evidence)
    if (engine === 'chromium') return inChromium(evidence)
    if (engine === 'firefox') return inFirefox(evidence)
    return engine === 'webkit' ? inWebKit(evidence) : undefined
  },
  weights: {
    incognito: { fires: (isPrivate) => isPrivate, session: 0.1, because: 'the window is private', suspect: { WEB: 4 } },
  },
  secureInfo: {
    returnedBy: 'both',
    unknown: false,
    rules: {
      incognito: {
        type: flag('A private window'),
        value: (isPrivate) => isPrivate,
        read: ({ signals }) => signals?.incognito,
      },
    },
  },
})

function inChromium({ facts: { fileSystem } }: Evidence): Finding<boolean> | undefined {
  const micros = fileSystem?.callMicros
  return micros === undefined
    ? undefined
    : finding(micros >= privateFromMicros, `a file of the origin takes ${micros} µs to answer`)
}

/** A site without permission to store data is refused the file system too, which proves nothing. */
function inFirefox({ facts: { fileSystem, storage } }: Evidence): Finding<boolean> | undefined {
  const isAnswered = fileSystem?.error !== undefined || fileSystem?.callMicros !== undefined
  if (!isAnswered || storage?.localStorage === false) return undefined
  return finding(
    fileSystem.error === 'SecurityError',
    `the file system of the origin: ${fileSystem.error ?? 'available'}`,
  )
}

/** Safari 17 and later refuse the file system of the origin; older versions and WebKitGTK refuse a file in a database. */
function inWebKit({ facts: { blobStorage, fileSystem, storage } }: Evidence): Finding<boolean> | undefined {
  if (storage?.localStorage === false || storage?.indexedDB === false) return undefined
  if (fileSystem?.error === 'UnknownError') return finding(true, 'the file system of the origin is refused')
  if (!blobStorage) return undefined
  return finding(blobStorage === 'UnknownError', `a file in a database: ${blobStorage}`)
}

const finding = (verdict: boolean, reason: string): Finding<boolean> => ({ verdict, reasons: [reason] })
