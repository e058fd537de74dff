// Which receivers are streams of the configuration? By their id, which has the name of the stream.

const prefix = 'stream:'

export const isStream = (receiverId: string): boolean => receiverId.startsWith(prefix)
export const streamId = (name: string): string => `${prefix}${name}`
