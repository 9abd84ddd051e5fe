// Short synthesised tones: when it is the viewer's turn, and when a card is played. Off by default.

import { memory } from './memory.svelte'

const TONES: Record<'turn' | 'card', [number, number, number][]> = {
  // Hertz, seconds from now, seconds long
  turn: [[523, 0, 0.14], [784, 0.11, 0.22]],
  card: [[196, 0, 0.05]],
}
let context: AudioContext | null = null

export function sound(what: keyof typeof TONES): void {
  if (!memory.sound || !window.AudioContext) return
  context ??= new AudioContext()
  if (context.state === 'suspended') void context.resume()
  for (const [pitch, after, long] of TONES[what]) {
    const start = context.currentTime + after
    const tone = context.createOscillator()
    const loud = context.createGain()
    tone.type = 'triangle'
    tone.frequency.value = pitch
    loud.gain.setValueAtTime(0, start)
    loud.gain.linearRampToValueAtTime(0.12, start + 0.01)
    loud.gain.exponentialRampToValueAtTime(0.001, start + long)
    tone.connect(loud).connect(context.destination)
    tone.start(start)
    tone.stop(start + long)
  }
}
