// How can a call about people, their factors and roles fail?

import { ownRoleFailures } from './own-roles.ts'
import { ssoFailures } from './single-sign-on.ts'

export const peopleFailures = {
  ...ownRoleFailures,
  ...ssoFailures,
  personUnknown: {
    status: 404,
    errorCode: '70130',
    message: 'Not Found',
    description: 'Nobody with this id has a role in your tenant',
  },
  lastOwner: {
    status: 409,
    errorCode: '70132',
    message: 'Last Owner',
    description: 'A tenant needs an owner: make somebody else an owner first',
  },
  roleTooHigh: {
    status: 403,
    errorCode: '70133',
    message: 'Role Too High',
    description: 'Only an owner manages owners, and nobody manages a role that may do more than their own: {mistake}',
  },
  personShared: {
    status: 409,
    errorCode: '70134',
    message: 'Person Of Several Tenants',
    description:
      'This person has a role in another tenant too, which a reset would affect. They can change their factors themselves; else the operator of the service runs: ringfence people reset',
  },
  personIsYou: {
    status: 409,
    errorCode: '70135',
    message: 'This Is You',
    description: 'Change your own password and second factors under My account',
  },
  peopleTooMany: {
    status: 409,
    errorCode: '70136',
    message: 'Too Many People',
    description: 'A tenant has at most 1,000 people and 200 open invitations: withdraw some',
  },
  personMissing: {
    status: 409,
    errorCode: '70137',
    message: 'No Account',
    description: 'A client key has no account; sign in to the console as a person',
  },
} as const
