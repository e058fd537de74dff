// Which permissions does the browser know, and which has the person granted or denied this page?

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

/**
 * `granted`, `denied` or `prompt` by name. It shows no prompt. Names that the browser does not know
 * are left out.
 */
export async function permissions(): Promise<Record<string, string> | undefined> {
  if (!navigator.permissions) return undefined
  const states = names.map(async (name) => {
    const { state } = await navigator.permissions.query({ name } as PermissionDescriptor)
    return [name, state] as const
  })
  const settled = await Promise.allSettled(states)
  return Object.fromEntries(settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
}
