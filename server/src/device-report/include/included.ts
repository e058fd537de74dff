// What does a backend get beside the fields of the report? The members that it asks for with `include`, one file each.

import type { DeviceReportAnswer, IncludedMember } from '@ringfence/contract'
import type { DeviceNeeds } from '../../device/room.ts'
import { basisOf } from '../basis.ts'
import { identificationOf } from './identification.ts'
import type { IncludeInput } from './include-input.ts'
import { reasonsOf } from './reasons.ts'
import { reportSignals } from './signals.ts'

type Member<Name extends IncludedMember> = (
  input: IncludeInput,
  needs: DeviceNeeds,
) => DeviceReportAnswer[Name] | Promise<DeviceReportAnswer[Name]>

const members: { readonly [Name in IncludedMember]: Member<Name> } = {
  identification: identificationOf,
  reasons: ({ report }) => reasonsOf(basisOf(report)),
  signals: ({ analysis }) => reportSignals(analysis),
}

/** The members by name; one that is not known is absent. */
export async function includedMembers(
  names: readonly IncludedMember[],
  input: IncludeInput,
  needs: DeviceNeeds,
): Promise<Pick<DeviceReportAnswer, IncludedMember>> {
  const wanted = [...new Set(names)]
  return Object.fromEntries(
    await Promise.all(wanted.map(async (name) => [name, await members[name](input, needs)] as const)),
  )
}
