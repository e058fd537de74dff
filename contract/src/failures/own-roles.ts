// How can a call about the roles of a tenant fail?

export const ownRoleFailures = {
  roleUnknown: {
    status: 404,
    errorCode: '70150',
    message: 'Not Found',
    description: 'Your tenant has made no role with this name',
  },
  roleExists: {
    status: 409,
    errorCode: '70151',
    message: 'Conflict',
    description: 'There is a role of this name: choose another one. Built-in roles cannot be changed',
  },
  roleHeld: {
    status: 409,
    errorCode: '70152',
    message: 'Role In Use',
    description: 'Give everybody who has this role another one first: {mistake}',
  },
} as const
