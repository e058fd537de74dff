// Is this a private window?

import { flag } from '../../rules/path-types.ts'
import { engineOf } from '../analysis/engine.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { type Finding, signal } from './signal.ts'

/** A call of the kernel takes 1 to 5 µs, a question to another process and back 150 to 300 here, and some tens on a fast machine. */
const privateFromMicros = 25

/** Each engine keeps what a private window stores elsewhere than on the disk, which shows in its own way. */
export const incognito = signal({
  name: 'incognito',
  question: 'Is this a private window?',
  version: 1,
  platforms: ['WEB'],
  judge(evidence): Finding<boolean> | undefined {
    const engine = engineOf(evidence)
    if (engine === 'chromium') return inChromium(evidence)
    if (engine === 'firefox') return inFirefox(evidence)
    return engine === 'webkit' ? inWebKit(evidence) : undefined
  },
  weights: {
    incognito: { fires: (isPrivate) => isPrivate, session: 0.1, because: 'a private window', suspect: { WEB: 4 } },
  },
  secureInfo: {
    returnedBy: 'both',
    notApplicable: false,
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
    : finding(micros >= privateFromMicros, `a file of the origin answers in ${micros} µs`)
}

/** A site that may keep nothing at all is refused the file system as well, and that says nothing. */
function inFirefox({ facts: { fileSystem, storage } }: Evidence): Finding<boolean> | undefined {
  if (!fileSystem || storage?.localStorage === false) return undefined
  return finding(fileSystem.error === 'SecurityError', `the file system of the origin: ${fileSystem.error ?? 'there'}`)
}

/** Safari refuses the file system of the origin since 17, older ones and WebKitGTK a file in a database. */
function inWebKit({ facts: { blobStorage, fileSystem, storage } }: Evidence): Finding<boolean> | undefined {
  if (storage?.localStorage === false || storage?.indexedDB === false) return undefined
  if (fileSystem?.error === 'UnknownError') return finding(true, 'the file system of the origin is refused')
  if (blobStorage === undefined) return undefined
  return finding(blobStorage === 'UnknownError', `a file in a database: ${blobStorage}`)
}

const finding = (verdict: boolean, reason: string): Finding<boolean> => ({ verdict, reasons: [reason] })
