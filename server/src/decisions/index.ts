import { endpoints } from '@ringfence/contract'
import { apps } from '../apps/index.ts'
import { bots } from '../bots/index.ts'
import { clients } from '../clients/index.ts'
import { feature } from '../core/feature.ts'
import { heavyWork } from '../core/heavy-work/index.ts'
import { handle } from '../core/rows.ts'
import { addresses, keyring } from '../core/servers/index.ts'
import { device } from '../device/index.ts'
import { compression } from '../device/store/index.ts'
import { ip } from '../ip/index.ts'
import { rules } from '../rules/index.ts'
import { telecom } from '../telecom/index.ts'
import { passChallenge } from './challenge/challenge.ts'
import { endDue } from './deadlines.ts'
import { decide } from './decide.ts'
import { labelReports } from './label-reports.ts'
import { mergeWhenProved } from './merge-devices.ts'
import { readDecision } from './read.ts'
import { dropExpiredDecisions } from './record/retention.ts'
import { listReviews } from './reviews/list-reviews.ts'
import { resolveReview } from './reviews/resolve-review.ts'

export const decisions = feature({
  name: 'decisions',
  needs: [addresses, apps, bots, clients, device, compression, heavyWork, ip, keyring, rules, telecom],
}).with({
  rows: [
    handle(endpoints.decide, decide),
    handle(endpoints.readDecision, readDecision),
    handle(endpoints.passChallenge, passChallenge),
    handle(endpoints.resolveReview, resolveReview),
    handle(endpoints.listReviews, listReviews),
    handle(endpoints.labelReports, labelReports),
  ],
  upkeep: {
    decisions: dropExpiredDecisions,
    'deadlines of decisions': endDue,
    mergedDevices: mergeWhenProved,
  },
})
