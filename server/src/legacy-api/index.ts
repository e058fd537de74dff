import { endpoints } from '@ringfence/contract'
import { apps } from '../apps/index.ts'
import { bots } from '../bots/index.ts'
import { clients } from '../clients/index.ts'
import { feature } from '../core/feature.ts'
import { heavyWork } from '../core/heavy-work/index.ts'
import { handle } from '../core/rows.ts'
import { addresses, keyring } from '../core/servers/index.ts'
import { telemetry } from '../core/telemetry/index.ts'
import { device } from '../device/index.ts'
import { compression } from '../device/store/index.ts'
import { ip } from '../ip/index.ts'
import { rules } from '../rules/index.ts'
import { signIn } from '../sign-in/authentication/index.ts'
import { idTokens } from '../sign-in/identity-tokens/index.ts'
import { telecom } from '../telecom/index.ts'
import { exchangeCode } from './exchange-code.ts'
import { sendMagicLink } from './magic-link.ts'
import { resendOtp, sendOtp, verifyOtp } from './otp.ts'
import { userInfo } from './user-info.ts'

export const legacyApi = feature({
  name: 'legacyApi',
  needs: [
    signIn,
    telemetry,
    addresses,
    apps,
    bots,
    clients,
    device,
    compression,
    heavyWork,
    idTokens,
    ip,
    keyring,
    rules,
    telecom,
  ],
}).with({
  rows: [
    handle(endpoints.userInfo, userInfo),
    handle(endpoints.exchangeCode, exchangeCode),
    handle(endpoints.sendMagicLink, sendMagicLink),
    handle(endpoints.sendOtp, sendOtp),
    handle(endpoints.resendOtp, resendOtp),
    handle(endpoints.verifyOtp, verifyOtp),
  ],
})
