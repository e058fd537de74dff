// Which paths does the admin API answer about people and how they sign in? The others are in admin-surface.ts.

import { adminEndpoints as e } from '@ringfence/contract'
import { adminEndpoint, type EndpointRow } from '../http/surface.ts'
import { callsOf } from './calls-of.ts'

const account = callsOf(() => import('./calls/account.ts'))
const me = callsOf(() => import('./calls/me.ts'))
const passkeys = callsOf(() => import('./calls/passkeys.ts'))
const people = callsOf(() => import('./calls/people.ts'))
const callsSignIn = callsOf(() => import('./calls/sign-in.ts'))
const ownRoles = callsOf(() => import('./own-roles/own-roles.ts'))
const ssoSettings = callsOf(() => import('./sso/sso-settings.ts'))
const ssoSignIn = callsOf(() => import('./sso/sso-sign-in.ts'))

/** endpoint of the contract | path | permission | handler | refusal of each field, where it is not `fieldInvalid` */
export const peopleSurface: readonly EndpointRow[] = [
  adminEndpoint(e.me, '/admin/v1/me', 'signedIn', me('adminMe')),
  adminEndpoint(e.signIn, '/admin/v1/sign-in', 'anyone', callsSignIn('adminSignIn')),
  adminEndpoint(
    e.openInvitation,
    '/admin/v1/invitations/open',
    'anyone',
    callsSignIn('adminOpenInvitation'),
    'invitationUnknown',
  ),
  adminEndpoint(e.acceptInvitation, '/admin/v1/invitations/accept', 'anyone', callsSignIn('adminAcceptInvitation')),
  adminEndpoint(e.signOut, '/admin/v1/sign-out', 'anyone', callsSignIn('adminSignOut')),
  adminEndpoint(e.listSessions, '/admin/v1/sessions', 'signedIn', callsSignIn('adminListSessions')),
  adminEndpoint(e.endSession, '/admin/v1/sessions/{sessionId}/end', 'signedIn', callsSignIn('adminEndSession')),
  adminEndpoint(e.readFactors, '/admin/v1/account/factors', 'signedIn', account('adminReadFactors')),
  adminEndpoint(e.changePassword, '/admin/v1/account/password', 'signedIn', account('adminChangePassword')),
  adminEndpoint(
    e.beginAuthenticator,
    '/admin/v1/account/authenticator/begin',
    'signedIn',
    account('adminBeginAuthenticator'),
  ),
  adminEndpoint(
    e.replaceAuthenticator,
    '/admin/v1/account/authenticator',
    'signedIn',
    account('adminReplaceAuthenticator'),
  ),
  adminEndpoint(
    e.renewRecoveryCodes,
    '/admin/v1/account/recovery-codes',
    'signedIn',
    account('adminRenewRecoveryCodes'),
  ),
  adminEndpoint(e.beginPasskeySignIn, '/admin/v1/sign-in/passkey/begin', 'anyone', passkeys('adminBeginPasskeySignIn')),
  adminEndpoint(e.signInWithPasskey, '/admin/v1/sign-in/passkey', 'anyone', passkeys('adminSignInWithPasskey')),
  adminEndpoint(e.beginConfirmation, '/admin/v1/account/confirm/begin', 'signedIn', passkeys('adminBeginConfirmation')),
  adminEndpoint(e.confirmPerson, '/admin/v1/account/confirm', 'signedIn', passkeys('adminConfirmPerson')),
  adminEndpoint(e.listPasskeys, '/admin/v1/account/passkeys', 'signedIn', passkeys('adminListPasskeys')),
  adminEndpoint(e.beginPasskey, '/admin/v1/account/passkeys/begin', 'signedIn', passkeys('adminBeginPasskey')),
  adminEndpoint(e.addPasskey, '/admin/v1/account/passkeys/add', 'signedIn', passkeys('adminAddPasskey')),
  adminEndpoint(
    e.renamePasskey,
    '/admin/v1/account/passkeys/{passkeyId}/rename',
    'signedIn',
    passkeys('adminRenamePasskey'),
    {
      passkeyId: 'passkeyUnknown',
      name: 'fieldInvalid',
    },
  ),
  adminEndpoint(
    e.removePasskey,
    '/admin/v1/account/passkeys/{passkeyId}/remove',
    'signedIn',
    passkeys('adminRemovePasskey'),
  ),
  adminEndpoint(e.listPeople, '/admin/v1/people', 'people.read', people('adminListPeople')),
  adminEndpoint(e.changeRole, '/admin/v1/people/{personId}/role', 'people.write', people('adminChangeRole')),
  adminEndpoint(e.removePerson, '/admin/v1/people/{personId}/remove', 'people.write', people('adminRemovePerson')),
  adminEndpoint(e.resetPerson, '/admin/v1/people/{personId}/reset', 'people.write', people('adminResetPerson')),
  adminEndpoint(e.listInvitations, '/admin/v1/invitations', 'people.read', people('adminListInvitations')),
  adminEndpoint(e.invite, '/admin/v1/invitations/create', 'people.write', people('adminInvite')),
  adminEndpoint(
    e.withdrawInvitation,
    '/admin/v1/invitations/{invitationId}/withdraw',
    'people.write',
    people('adminWithdrawInvitation'),
  ),
  adminEndpoint(e.listRoles, '/admin/v1/roles', 'people.read', ownRoles('adminListRoles')),
  adminEndpoint(e.createRole, '/admin/v1/roles/create', 'people.write', ownRoles('adminCreateRole')),
  adminEndpoint(e.editRole, '/admin/v1/roles/{name}/edit', 'people.write', ownRoles('adminEditRole'), {
    name: 'roleUnknown',
    description: 'fieldInvalid',
    permissions: 'fieldInvalid',
  }),
  adminEndpoint(
    e.removeRole,
    '/admin/v1/roles/{name}/remove',
    'people.write',
    ownRoles('adminRemoveRole'),
    'roleUnknown',
  ),
  adminEndpoint(e.readSso, '/admin/v1/sso', 'people.read', ssoSettings('adminReadSso')),
  adminEndpoint(e.saveSso, '/admin/v1/sso/save', 'people.write', ssoSettings('adminSaveSso')),
  adminEndpoint(e.removeSso, '/admin/v1/sso/remove', 'people.write', ssoSettings('adminRemoveSso')),
  adminEndpoint(e.testSso, '/admin/v1/sso/test', 'people.write', ssoSettings('adminTestSso')),
  adminEndpoint(e.listSsoConnections, '/admin/v1/sso/connections', 'anyone', ssoSignIn('adminListSsoConnections')),
  adminEndpoint(e.startSso, '/admin/v1/sso/start', 'anyone', ssoSignIn('adminStartSso')),
  adminEndpoint(e.finishSso, '/admin/v1/sso/finish', 'anyone', ssoSignIn('adminFinishSso')),
]
