// How does this device render sound? Renders a tone through a compressor; nothing is played.

type OfflineContext = typeof OfflineAudioContext

const sampleRate = 44_100
const samples = 5_000

/**
 * The sum of the last 500 samples, as absolute values. The browser renders on its own thread, so
 * the page is not blocked.
 */
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
