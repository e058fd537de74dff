// Who may do what in the console and through the admin API? Permissions, and the roles that have them.

/** What a permission allows, in words that follow "may". */
export const permissions = {
  'decisions.read': 'search events, and read decisions and device reports',
  'decisions.label': 'label decisions and device reports',
  'decisions.try': 'make decisions by hand, which may call an operator',
  'personalData.read': 'see phone numbers, email addresses, IP addresses, names and notes unmasked',
  'personalData.reveal': 'see one record unmasked, with a reason for the audit log',
  'privacy.read': 'see how long data is stored, and the receipts of erasures',
  'privacy.export': 'export everything that is stored about a person or device',
  'privacy.erase': 'erase a person or device',
  'reviews.read': 'list the review queue',
  'reviews.resolve': 'assign, comment, approve and block reviewed decisions',
  'reviews.policy': 'set the deadline of reviews',
  'users.read': 'read what is known of a user, and list the devices',
  'users.write': 'rename, revoke, trust and delete the devices of a user',
  'devices.read': 'read what is known of a device, and its visits',
  'devices.forget': 'delete everything about a device',
  'numbers.read': 'read what is known of a phone number, and how a check would go',
  'numbers.check': 'check a phone number, which may call its operator',
  'rules.read': 'read rule sets and their history',
  'rules.write': 'check, draft and backtest rules, run them in shadow, and ask to publish them',
  'rules.publish': 'approve rules that another person asks to publish',
  'rules.policy': 'say when a second person has to approve rules',
  'lists.read': 'read lists and their entries',
  'lists.write': 'create and delete lists, and change their entries',
  'apps.read': 'read apps and their settings',
  'apps.write': 'create, change and disable apps',
  'keys.read': 'list client keys, without their secrets',
  'keys.write': 'make, rotate and revoke client keys',
  'webhooks.read': 'read webhooks and their deliveries',
  'webhooks.write': 'add, pause, rotate, test and remove webhooks, and send events again',
  'signins.read': 'read channels, limits and what became of sign-ins and messages',
  'signins.test': 'send test messages, and read the development outbox of a sandbox',
  'audit.read': 'read, verify and export the audit log',
  'system.read': 'read the state of the service',
  'people.read': 'list the people of the tenant, and invitations',
  'people.write': 'invite people, change their roles, remove them, and reset their sign-in',
  'system.check': 'let the service check itself',
  'demo.remove': 'remove the demo traffic of a sandbox',
} as const
export type Permission = keyof typeof permissions

export const permissionNames = Object.keys(permissions) as Permission[]

const reading = [
  'decisions.read',
  'reviews.read',
  'users.read',
  'devices.read',
  'numbers.read',
  'rules.read',
  'lists.read',
  'webhooks.read',
  'signins.read',
  'system.read',
] as const satisfies readonly Permission[]

/** The roles that every tenant has. */
export const roles = {
  owner: { description: 'Everything, and who else is an owner', permissions: permissionNames },
  admin: { description: 'Everything but who is an owner', permissions: permissionNames },
  analyst: {
    description: 'Investigates fraud: labels, reviews, lists, drafts of rules, and decisions to try',
    permissions: [
      ...reading,
      'personalData.read',
      'personalData.reveal',
      'decisions.label',
      'decisions.try',
      'reviews.resolve',
      'users.write',
      'numbers.check',
      'rules.write',
      'lists.write',
      'apps.read',
    ],
  },
  support: {
    description: 'Helps users: finds their decisions, and manages their devices',
    permissions: [
      'decisions.read',
      'personalData.reveal',
      'privacy.read',
      'privacy.export',
      'privacy.erase',
      'reviews.read',
      'users.read',
      'users.write',
      'devices.read',
      'numbers.read',
    ],
  },
  viewer: { description: 'Reads, and changes nothing', permissions: reading },
} as const satisfies Record<string, { description: string; permissions: readonly Permission[] }>
export type RoleName = keyof typeof roles

export const roleNames = Object.keys(roles) as RoleName[]
