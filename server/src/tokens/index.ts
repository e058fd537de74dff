import { endpoints } from '@ringfence/contract'
import { feature } from '../core/feature.ts'
import { handle } from '../core/rows.ts'
import { compression } from '../device/store/index.ts'
import { issueToken } from './issue.ts'
import { revokeToken } from './revoke.ts'
import { secureInfo } from './secure-info.ts'
import { dropExpiredTokens } from './token-retention.ts'
import { validateToken } from './validate-token.ts'

export const tokens = feature({
  name: 'tokens',
  needs: [compression],
}).with({
  rows: [
    handle(endpoints.validateToken, validateToken),
    handle(endpoints.secureInfo, secureInfo),
    handle(endpoints.issueToken, issueToken),
    handle(endpoints.revokeToken, revokeToken),
  ],
  upkeep: {
    tokens: dropExpiredTokens,
  },
})
