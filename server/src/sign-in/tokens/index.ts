import { endpoints } from '@ringfence/contract'
import { apps } from '../../apps/index.ts'
import { bots } from '../../bots/index.ts'
import { feature } from '../../core/feature.ts'
import { handle } from '../../core/rows.ts'
import { device } from '../../device/index.ts'
import { compression } from '../../device/store/index.ts'
import { ip } from '../../ip/index.ts'
import { issueToken } from './issue.ts'
import { revokeToken } from './revoke.ts'
import { secure } from './secure.ts'
import { secureInfo } from './secure-info.ts'
import { dropExpiredTokens } from './token-retention.ts'
import { validateToken } from './validate-token.ts'

export const tokens = feature({
  name: 'tokens',
  needs: [ip, bots, apps, compression, device],
}).with({
  rows: [
    handle(endpoints.validateToken, validateToken),
    handle(endpoints.secureInfo, secureInfo),
    handle(endpoints.issueToken, issueToken),
    handle(endpoints.revokeToken, revokeToken),
    handle(endpoints.secure, secure),
  ],
  upkeep: {
    tokens: dropExpiredTokens,
  },
})
