// What did the service give this browser to keep?

import type { FactContext } from '../collect/fact.ts'

export const deviceToken = ({ deviceToken }: FactContext) => deviceToken
