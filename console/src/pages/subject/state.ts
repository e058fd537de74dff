// Which colour has the state of a user, device or number?

import type { SubjectState } from '../../api/types.ts'
import type { Tone } from '../../parts/actions.ts'

const tones: Readonly<Record<SubjectState['level'], Tone>> = {
  good: 'green',
  watch: 'amber',
  bad: 'red',
  unknown: 'neutral',
}

export const toneOfState = ({ level }: SubjectState): Tone => tones[level]
