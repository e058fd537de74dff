// What does a service say first on stdout? Scripts wait for it.

export const listensAt = (url: string): string => `Ringfence listens at ${url}`
