// Which voices can the device speak with?

/** Browsers load their voices when they are first asked, and report none later where there are none. */
const loadingMs = 60

/** Those of the device itself, as `name (language)`; those of a service come and go with the connection. */
export async function voices(): Promise<string[] | undefined> {
  const speech = globalThis.speechSynthesis
  if (!speech) return undefined
  if (speech.getVoices().length === 0) {
    await new Promise((resolve) => {
      speech.addEventListener('voiceschanged', resolve, { once: true })
      setTimeout(resolve, loadingMs)
    })
  }
  const names = speech.getVoices().filter(({ localService }) => localService)
  // None may be none yet: that is no fact.
  return names.length === 0 ? undefined : names.map(({ name, lang }) => `${name} (${lang})`).sort()
}
