// Has this number been ported? (specification 4.3) Portability sources answer it, not the operator: CAMARA has no such API.

import Type from 'typebox'
import { check } from './check.ts'

export const portability = check({
  name: 'portability',
  title: 'portability',
  summary: 'Has this number been ported away from its home operator?',
  Params: Type.Object({}),
  example: {},
  Answer: Type.Object({
    ported: Type.Boolean({ description: 'true: the number was ported. Stated only by a portability source' }),
  }),
  isWarning: ({ ported }) => ported,
})
