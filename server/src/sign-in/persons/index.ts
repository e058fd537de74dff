import { endpoints } from '@ringfence/contract'
import { feature } from '../../core/feature.ts'
import { handle } from '../../core/rows.ts'
import { linkUser } from './link.ts'
import { listIdentities } from './list-identities.ts'
import { mergeUsers } from './merge.ts'
import { unlinkUser } from './unlink.ts'

export const persons = feature({ name: 'persons', needs: [] }).with({
  rows: [
    handle(endpoints.linkUser, linkUser),
    handle(endpoints.unlinkUser, unlinkUser),
    handle(endpoints.mergeUsers, mergeUsers),
    handle(endpoints.listIdentities, listIdentities),
  ],
})
