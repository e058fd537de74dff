// /admin/v1: what happened and why. The same code answers the calls of backends.

import type {
  AccountDevices,
  AccountDevicesRequest,
  AdminReportRequest,
  DeleteAccountDevicesRequest,
  DeletedAccountDevices,
  DeviceReportAnswer,
  FindRecordsRequest,
  FoundEvents,
  FoundRecords,
  InvestigatedDecision,
  LabelAnswer,
  LabelRequest,
  ReadDecisionRequest,
  SearchEventsRequest,
  TrustedDevice,
  UpdateAccountDeviceRequest,
} from '@ringfence/contract'
import {
  deleteDevicesOfAccount,
  listAccountDevices,
  updateAccountDevice,
} from '../../accounts/devices/trusted-devices.ts'
import type { JsonText } from '../../core/json/json-text.ts'
import { investigateDecision } from '../../decisions/investigation/investigate.ts'
import { labelReports } from '../../decisions/label-reports.ts'
import { findRecords } from '../../decisions/search/find-records.ts'
import { searchEvents } from '../../decisions/search/search-events.ts'
import { deviceFingerprint } from '../../device-report/calls/read-report.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'
import { asClient } from './as-client.ts'

export const adminSearchEvents = (
  body: SearchEventsRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<FoundEvents> => searchEvents(body, asClient(call), needs)

export const adminFindRecords = (
  body: FindRecordsRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<FoundRecords> => findRecords(body, actor.tenantId, needs)

export const adminReadDecision = (
  body: ReadDecisionRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<InvestigatedDecision> =>
  investigateDecision(
    body,
    { tenantId: call.actor.tenantId, mayReadRules: call.actor.permissions.has('rules.read') },
    needs,
  )

/** With everything that explains the report. Reading it here confirms no device, since no user signed in. */
export const adminReadReport = (
  { dfrId, deviceType }: AdminReportRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<JsonText<DeviceReportAnswer>> =>
  deviceFingerprint({ dfrId, deviceType, include: ['identification', 'reasons', 'signals'] }, asClient(call), needs)

export const adminLabel = (body: LabelRequest, call: ActorCall, needs: AdminNeeds): Promise<LabelAnswer> =>
  labelReports(body, asClient(call), needs)

export const adminListUserDevices = (
  body: AccountDevicesRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<AccountDevices> => listAccountDevices(body, asClient(call), needs)

export const adminUpdateUserDevice = (
  body: UpdateAccountDeviceRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<TrustedDevice> => updateAccountDevice(body, asClient(call), needs)

export const adminDeleteUserDevices = (
  body: DeleteAccountDevicesRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<DeletedAccountDevices> => deleteDevicesOfAccount(body, asClient(call), needs)
