// What has the person allowed or refused this page, and which permissions does the browser know at all?

const names = [
  'accelerometer',
  'background-sync',
  'camera',
  'clipboard-read',
  'geolocation',
  'local-fonts',
  'microphone',
  'midi',
  'notifications',
  'payment-handler',
  'persistent-storage',
  'screen-wake-lock',
  'storage-access',
]

/** `granted`, `denied` or `prompt` by name; nothing is asked of the person. A name that the browser does not know is left out. */
export async function permissions(): Promise<Record<string, string> | undefined> {
  if (!navigator.permissions) return undefined
  const states = names.map(async (name) => {
    const { state } = await navigator.permissions.query({ name } as PermissionDescriptor)
    return [name, state] as const
  })
  const told = await Promise.allSettled(states)
  return Object.fromEntries(told.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
}
