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
import type { ActorCall } from '../../call.ts'
import { investigateDecision } from '../../decisions/investigation/investigate.ts'
import { labelReports } from '../../decisions/label-reports.ts'
import { deviceFingerprint } from '../../device/calls/read-report.ts'
import type { JsonText } from '../../json/json-text.ts'
import type { Platform } from '../../platform.ts'
import { findRecords } from '../../search/find-records.ts'
import { searchEvents } from '../../search/search-events.ts'
import { asClient } from './as-client.ts'

export const adminSearchEvents = (
  body: SearchEventsRequest,
  call: ActorCall,
  platform: Platform,
): Promise<FoundEvents> => searchEvents(body, asClient(call), platform)

export const adminFindRecords = (
  body: FindRecordsRequest,
  { actor }: ActorCall,
  platform: Platform,
): Promise<FoundRecords> => findRecords(body, actor.tenantId, platform)

export const adminReadDecision = (
  body: ReadDecisionRequest,
  call: ActorCall,
  platform: Platform,
): Promise<InvestigatedDecision> =>
  investigateDecision(
    body,
    { tenantId: call.actor.tenantId, mayReadRules: call.actor.permissions.has('rules.read') },
    platform,
  )

/** With everything that explains the report. Reading it here confirms no device, since no user signed in. */
export const adminReadReport = (
  { dfrId, deviceType }: AdminReportRequest,
  call: ActorCall,
  platform: Platform,
): Promise<JsonText<DeviceReportAnswer>> =>
  deviceFingerprint({ dfrId, deviceType, include: ['identification', 'reasons', 'signals'] }, asClient(call), platform)

export const adminLabel = (body: LabelRequest, call: ActorCall, platform: Platform): Promise<LabelAnswer> =>
  labelReports(body, asClient(call), platform)

export const adminListUserDevices = (
  body: AccountDevicesRequest,
  call: ActorCall,
  platform: Platform,
): Promise<AccountDevices> => listAccountDevices(body, asClient(call), platform)

export const adminUpdateUserDevice = (
  body: UpdateAccountDeviceRequest,
  call: ActorCall,
  platform: Platform,
): Promise<TrustedDevice> => updateAccountDevice(body, asClient(call), platform)

export const adminDeleteUserDevices = (
  body: DeleteAccountDevicesRequest,
  call: ActorCall,
  platform: Platform,
): Promise<DeletedAccountDevices> => deleteDevicesOfAccount(body, asClient(call), platform)
