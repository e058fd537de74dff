// How does this device render sound? A tone through a compressor, heard by nobody.

type OfflineContext = typeof OfflineAudioContext

const sampleRate = 44_100
const samples = 5_000

/** Rendered on a thread of the browser's own. */
export async function audio(): Promise<number | undefined> {
  const Context =
    globalThis.OfflineAudioContext ??
    (globalThis as { webkitOfflineAudioContext?: OfflineContext }).webkitOfflineAudioContext
  if (!Context) return undefined
  const context = new Context(1, samples, sampleRate)
  const tone = new OscillatorNode(context, { type: 'triangle', frequency: 10_000 })
  const compressor = new DynamicsCompressorNode(context, {
    threshold: -50,
    knee: 40,
    ratio: 12,
    attack: 0,
    release: 0.25,
  })
  tone.connect(compressor).connect(context.destination)
  tone.start()
  const rendered = (await context.startRendering()).getChannelData(0)
  let sum = 0
  for (const sample of rendered.subarray(samples - 500)) sum += Math.abs(sample)
  return sum
}
