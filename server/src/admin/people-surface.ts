// Which paths does the admin API answer about people and how they sign in? The others are in admin-surface.ts.

import { adminEndpoints as e } from '@ringfence/contract'
import { type EndpointRow, handle } from '../core/rows.ts'
import { callsOf } from './calls-of.ts'
import type { AdminNeeds } from './room.ts'

const account = callsOf(() => import('./calls/account.ts'))
const me = callsOf(() => import('./calls/me.ts'))
const passkeys = callsOf(() => import('./calls/passkeys.ts'))
const people = callsOf(() => import('./calls/people.ts'))
const callsSignIn = callsOf(() => import('./calls/sign-in.ts'))
const ownRoles = callsOf(() => import('./own-roles/own-roles.ts'))
const ssoSettings = callsOf(() => import('./sso/sso-settings.ts'))
const ssoSignIn = callsOf(() => import('./sso/sso-sign-in.ts'))

export const peopleSurface: readonly EndpointRow<AdminNeeds>[] = [
  handle(e.me, me('adminMe')),
  handle(e.signIn, callsSignIn('adminSignIn')),
  handle(e.openInvitation, callsSignIn('adminOpenInvitation')),
  handle(e.acceptInvitation, callsSignIn('adminAcceptInvitation')),
  handle(e.signOut, callsSignIn('adminSignOut')),
  handle(e.listSessions, callsSignIn('adminListSessions')),
  handle(e.endSession, callsSignIn('adminEndSession')),
  handle(e.readFactors, account('adminReadFactors')),
  handle(e.changePassword, account('adminChangePassword')),
  handle(e.beginAuthenticator, account('adminBeginAuthenticator')),
  handle(e.replaceAuthenticator, account('adminReplaceAuthenticator')),
  handle(e.renewRecoveryCodes, account('adminRenewRecoveryCodes')),
  handle(e.beginPasskeySignIn, passkeys('adminBeginPasskeySignIn')),
  handle(e.signInWithPasskey, passkeys('adminSignInWithPasskey')),
  handle(e.beginConfirmation, passkeys('adminBeginConfirmation')),
  handle(e.confirmPerson, passkeys('adminConfirmPerson')),
  handle(e.listPasskeys, passkeys('adminListPasskeys')),
  handle(e.beginPasskey, passkeys('adminBeginPasskey')),
  handle(e.addPasskey, passkeys('adminAddPasskey')),
  handle(e.renamePasskey, passkeys('adminRenamePasskey')),
  handle(e.removePasskey, passkeys('adminRemovePasskey')),
  handle(e.listPeople, people('adminListPeople')),
  handle(e.changeRole, people('adminChangeRole')),
  handle(e.removePerson, people('adminRemovePerson')),
  handle(e.resetPerson, people('adminResetPerson')),
  handle(e.listInvitations, people('adminListInvitations')),
  handle(e.invite, people('adminInvite')),
  handle(e.withdrawInvitation, people('adminWithdrawInvitation')),
  handle(e.listRoles, ownRoles('adminListRoles')),
  handle(e.createRole, ownRoles('adminCreateRole')),
  handle(e.editRole, ownRoles('adminEditRole')),
  handle(e.removeRole, ownRoles('adminRemoveRole')),
  handle(e.readSso, ssoSettings('adminReadSso')),
  handle(e.saveSso, ssoSettings('adminSaveSso')),
  handle(e.removeSso, ssoSettings('adminRemoveSso')),
  handle(e.testSso, ssoSettings('adminTestSso')),
  handle(e.listSsoConnections, ssoSignIn('adminListSsoConnections')),
  handle(e.startSso, ssoSignIn('adminStartSso')),
  handle(e.finishSso, ssoSignIn('adminFinishSso')),
]
