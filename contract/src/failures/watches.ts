// How can a call about watched numbers fail?

export const watchFailures = {
  watchUnknown: {
    status: 404,
    errorCode: '70061',
    message: 'Not Found',
    description: 'You have no watch with this watchId, or it has ended; list your watches, or watch the number again',
  },
  watchesLimited: {
    status: 409,
    errorCode: '70062',
    message: 'Conflict',
    description: 'The tenant watches {mistake}; delete watches, or raise WATCHES_PER_TENANT',
  },
  notificationRefused: {
    status: 401,
    errorCode: '70063',
    message: 'Unauthorized',
    description: 'There is no such subscription, or the bearer token is not that of it',
  },
} as const
