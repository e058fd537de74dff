// Which device token did the service issue to this browser?

import type { FactContext } from '../collect/fact.ts'

export const deviceToken = ({ deviceToken }: FactContext) => deviceToken
