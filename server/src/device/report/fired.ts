// Which signals fired? Verdicts of every shape become the names that scores weigh.

import type { WeighedSignal } from '../scores/session-score.ts'
import type { Judgement } from '../signals/index.ts'

type Verdicts = Judgement['verdicts']

const tests: Readonly<Partial<Record<WeighedSignal, (verdicts: Verdicts) => boolean | undefined>>> = {
  bot: ({ bot }) => bot?.result === 'bad',
  tampering: ({ tampering }) => tampering?.result,
  incognito: ({ incognito }) => incognito,
  privacySettings: ({ privacySettings }) => privacySettings?.result,
  developerTools: ({ developerTools }) => developerTools?.result,
  virtualMachine: ({ virtualMachine }) => virtualMachine?.result,
  timezoneMismatch: ({ vpn }) => vpn?.methods.timezoneMismatch,
  publicVPN: ({ vpn }) => vpn?.methods.publicVPN,
  tor: ({ tor }) => tor?.result,
  proxy: ({ proxy }) => proxy?.result,
}

/** What the session is weighed by. */
export const firedSignals = (verdicts: Verdicts): WeighedSignal[] =>
  Object.entries(tests).flatMap(([name, fires]) => (fires(verdicts) ? [name as WeighedSignal] : []))
